; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; %sum becomes %sum.next when the loop goes on, so they share a slot of the context: the region that only goes on moves nothing. Two
; values that change places have a slot each.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define i32 @sums.region.3(
; CHECK: to.1:
; CHECK-NOT: store i32 %sum
; CHECK: {{^}}}
define spir_kernel void @sums(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done

body:
  %value = load i32, ptr addrspace(1) %q
  %sum.next = add i32 %sum, %value
  %i.next = add i32 %i, 1
  call spir_func void @_Z7barrierj(i32 1)
  br label %head

done:
  store i32 %sum, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define i32 @swaps.region.2(
; CHECK: to.1:
; CHECK: store i32
; CHECK: store i32
; CHECK: {{^}}}
define spir_kernel void @swaps(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %first = load i32, ptr addrspace(1) %q
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %a = phi i32 [ %first, %entry ], [ %b, %body ]
  %b = phi i32 [ 7, %entry ], [ %a, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done

body:
  store i32 %a, ptr addrspace(1) %q
  %i.next = add i32 %i, 1
  call spir_func void @_Z7barrierj(i32 1)
  br label %head

done:
  store i32 %b, ptr addrspace(1) %q
  ret void
}

; CHECK: "quern-context-item-bytes"="4" {{.*}}"quern-region"="3"
; CHECK: "quern-context-item-bytes"="8" {{.*}}"quern-region"="3"

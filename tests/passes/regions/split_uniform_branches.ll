; RUN: --passes=prepare-kernels,work-item-bodies,function(isolate-barriers,split-uniform-branches)
; Behind a barrier the group decides whether to go on: barriers of our own begin both edges, so that neither has to be told from the
; other by each packet.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @loop.item(
; CHECK: br i1 %more, label %[[BODY:[^,]*]], label %[[DONE:[^ ]*]]
; CHECK: [[BODY]]:
; CHECK-NEXT: br label %[[BODY_BARRIER:.*]]
; CHECK: [[BODY_BARRIER]]:
; CHECK-NEXT: call void @quern.barrier(i32 0, i32 0)
; CHECK: call void @quern.barrier(i32 1, i32 1)
; CHECK: [[DONE]]:
; CHECK-NEXT: br label %[[DONE_BARRIER:.*]]
; CHECK: [[DONE_BARRIER]]:
; CHECK-NEXT: call void @quern.barrier(i32 0, i32 0)
; CHECK-NOT: call void @quern.barrier
define spir_kernel void @loop(ptr addrspace(1) %p, i32 %n) {
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

; A loop without barriers belongs to its region, and each work-item decides for itself.
; CHECK-LABEL: define void @inner.item(
; CHECK: call void @quern.barrier(i32 1, i32 1)
; CHECK-NOT: call void @quern.barrier
define spir_kernel void @inner(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  call spir_func void @_Z7barrierj(i32 1)
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done

body:
  store i32 %i, ptr addrspace(1) %q
  %i.next = add i32 %i, 1
  br label %head

done:
  ret void
}

; CHECK-LABEL: define void @parts.item(
; CHECK: call void @quern.barrier(i32 1, i32 1)
; CHECK-NOT: call void @quern.barrier
define spir_kernel void @parts(ptr addrspace(1) %p) {
entry:
  call spir_func void @_Z7barrierj(i32 1)
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %low = icmp ult i64 %id, 7
  br i1 %low, label %then, label %done

then:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  store i32 1, ptr addrspace(1) %q
  br label %done

done:
  ret void
}

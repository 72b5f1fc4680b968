; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; What an inner loop reads again in each iteration of the outer one is kept in an array of the packet, filled before the outer loop
; and only where that has an iteration.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @rows.region.0.tile(
; CHECK: alloca [256 x i8]
; CHECK: icmp eq i64 %n, 0
; CHECK: load <8 x float>, ptr addrspace(1)
; CHECK-COUNT-8: store <4 x float> %{{.*}}, ptr %
; CHECK-NOT: masked.gather
; CHECK-NOT: <8 x float>
; CHECK: load <4 x float>, ptr %
; CHECK: {{^}}}
define spir_kernel void @rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = shl i64 %gid, 6
  br label %outer

outer:
  %c = phi i64 [ 0, %entry ], [ %c.next, %next ]
  %sum = phi float [ 0.0, %entry ], [ %sum.inner, %next ]
  %more = icmp ult i64 %c, %n
  br i1 %more, label %inner, label %done

inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %body ]
  %sum.inner = phi float [ %sum, %outer ], [ %sum.next, %body ]
  %again = icmp ult i64 %i, 16
  br i1 %again, label %body, label %next

body:
  %index = add i64 %row, %i
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %other = mul i64 %c, %i
  %q = getelementptr float, ptr addrspace(1) %in, i64 %other
  %w = load float, ptr addrspace(1) %q
  %product = fmul float %v, %w
  %sum.next = fadd float %sum.inner, %product
  %i.next = add i64 %i, 1
  br label %inner

next:
  %c.next = add i64 %c, 1
  br label %outer

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum, ptr addrspace(1) %po
  ret void
}

; Where the outer loop writes to the same memory, there is no array.
; CHECK-LABEL: define {{.*}} @written.region.0.packet(
; CHECK-NOT: alloca [
; CHECK: {{^}}}
define spir_kernel void @written(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = shl i64 %gid, 4
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  br label %outer

outer:
  %c = phi i64 [ 0, %entry ], [ %c.next, %next ]
  br label %inner

inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %sum = phi float [ 0.0, %outer ], [ %sum.next, %inner ]
  %index = add i64 %row, %i
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, 16
  br i1 %again, label %inner, label %next

next:
  store float %sum.next, ptr addrspace(1) %po
  %c.next = add i64 %c, 1
  %more = icmp ult i64 %c.next, %n
  br i1 %more, label %outer, label %done

done:
  ret void
}

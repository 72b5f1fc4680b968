; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; With a required and uniform size the loops have constant bounds.

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK-NOT: llvm.umin
; CHECK: items.x:
; CHECK: icmp ult i64 {{%.*}}, 8
; CHECK: items.x.done:
; CHECK: icmp ult i64 {{%.*}}, 4
declare spir_func i64 @_Z12get_local_idj(i32)

define spir_kernel void @k(ptr addrspace(1) %p) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %local = call spir_func i64 @_Z12get_local_idj(i32 0)
  store i64 %local, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 8, i32 4, i32 1}

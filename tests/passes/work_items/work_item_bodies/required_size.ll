; RUN: --steps=prepare-kernels,work-item-bodies
; A required work-group size is a constant where every group is full.

declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i64 @_Z23get_enqueued_local_sizej(i32)

; CHECK-LABEL: define void @uniform.item(
; CHECK: store i64 8,
define spir_kernel void @uniform(ptr addrspace(1) %p) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  store i64 %size, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @may_be_smaller.item(
; CHECK: store i64 %size.x,
; CHECK: store i64 2,
define spir_kernel void @may_be_smaller(ptr addrspace(1) %p) "uniform-work-group-size"="false" !reqd_work_group_size !0 {
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  store i64 %size, ptr addrspace(1) %p
  %enqueued = call spir_func i64 @_Z23get_enqueued_local_sizej(i32 1)
  store i64 %enqueued, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 8, i32 2, i32 1}

; RUN: --steps=prepare-kernels,work-item-bodies
; All forms of the barrier become one.

declare spir_func void @_Z7barrierj(i32)
declare spir_func void @_Z18work_group_barrierj(i32)
declare spir_func void @_Z18work_group_barrierj12memory_scope(i32, i32)

; CHECK-LABEL: define void @k.item(
; CHECK: call void @quern.barrier(i32 1, i32 1)
; CHECK: call void @quern.barrier(i32 2, i32 1)
; CHECK: call void @quern.barrier(i32 3, i32 2)
; CHECK: declare void @quern.barrier(i32, i32) [[ATTRIBUTES:#[0-9]+]]
; CHECK: attributes [[ATTRIBUTES]] = { convergent
define spir_kernel void @k() {
  call spir_func void @_Z7barrierj(i32 1)
  call spir_func void @_Z18work_group_barrierj(i32 2)
  call spir_func void @_Z18work_group_barrierj12memory_scope(i32 3, i32 2)
  ret void
}

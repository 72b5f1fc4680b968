; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; A barrier whose scope is wider than the work-group orders memory for other threads, too.

declare spir_func void @_Z7barrierj(i32)
declare spir_func void @_Z18work_group_barrierj12memory_scope(i32, i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: to.1:
; CHECK-NEXT: ret i32 1
; CHECK-LABEL: define i32 @k.region.1(
; CHECK: to.2:
; CHECK-NEXT: fence acq_rel
; CHECK-NEXT: ret i32 2
define spir_kernel void @k() {
  call spir_func void @_Z7barrierj(i32 2)
  call spir_func void @_Z18work_group_barrierj12memory_scope(i32 2, i32 2)
  ret void
}

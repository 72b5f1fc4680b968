; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; The row and the column that an id lies in are made again after a barrier; only what a number that is no constant divides has
; a slot.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define i32 @rows.region.1(
; CHECK: [[ROW:%.*]] = sdiv i32 [[ID:%.*]], 24
; CHECK: [[COLUMN:%.*]] = srem i32 [[ID]], 24
; CHECK: [[OTHER:%.*]] = load i32, ptr %other.slot
; CHECK: [[PART:%.*]] = add i32 [[ROW]], [[COLUMN]]
; CHECK: add i32 [[PART]], [[OTHER]]
define spir_kernel void @rows(ptr addrspace(1) %p, i32 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %tid = trunc i64 %id to i32
  %row = sdiv i32 %tid, 24
  %column = srem i32 %tid, 24
  %other = sdiv i32 %tid, %n
  call spir_func void @_Z7barrierj(i32 1)
  %part = add i32 %row, %column
  %sum = add i32 %part, %other
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  store i32 %sum, ptr addrspace(1) %q
  ret void
}

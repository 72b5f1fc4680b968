; RUN: --passes=prepare-kernels,work-item-bodies,lower-checks
; The device is told the launch and the global ids; a function that is called does not know them.

@site = private constant [2 x i8] c"0\00"

declare void @quern.check.fault(ptr, i64, i64, i64)

; CHECK-LABEL: define void @k.item(
; CHECK: [[LAUNCH:%.*]] = ptrtoint ptr %launch to i64
; CHECK: [[X:%.*]] = add i64 %first.x, %item.x
; CHECK: call void @quern_check_fault(i64 [[LAUNCH]], i64 ptrtoint (ptr @site to i64), i64 1, i64 2, i64 0, i64 [[X]], i64 {{%[0-9]+}}, i64 {{%[0-9]+}})
define spir_kernel void @k() {
  call void @quern.check.fault(ptr @site, i64 1, i64 2, i64 0)
  ret void
}

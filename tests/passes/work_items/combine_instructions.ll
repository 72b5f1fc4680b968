; RUN: --passes=function(combine-instructions)
; An index stays the number of 32 bits that the program says does not wrap, also where its parts are 64 bits wide: LLVM's own pass would
; calculate it in 64 bits, and then cut it off.

; CHECK-LABEL: define float @indexed(
; CHECK: [[ROW:%.*]] = mul nsw i32 %{{.*}}, 1000
; CHECK: [[PLACE:%.*]] = add nsw i32 [[ROW]], %{{.*}}
; CHECK: sext i32 [[PLACE]] to i64
; CHECK-NOT: shl
; CHECK: ret float
define float @indexed(ptr %in, i64 %x, i64 %y) {
  %column = trunc i64 %x to i32
  %line = trunc i64 %y to i32
  %row = mul nsw i32 %line, 1000
  %sum = add nsw i32 %row, %column
  %index = sext i32 %sum to i64
  %place = getelementptr inbounds float, ptr %in, i64 %index
  %value = load float, ptr %place
  ret float %value
}

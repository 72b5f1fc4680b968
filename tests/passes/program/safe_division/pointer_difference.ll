; RUN: --passes=safe-division
; Clang knows of a difference of pointers that it leaves no remainder: nothing has been optimised for that.

; CHECK: sdiv exact i64 %difference, 4
define i64 @difference(i64 %difference) {
  %elements = sdiv exact i64 %difference, 4
  ret i64 %elements
}

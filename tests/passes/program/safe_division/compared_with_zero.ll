; RUN: --passes=function(safe-division)
; Whether an unsigned quotient is zero is a comparison of its operands, and no quotient by zero is. What is used otherwise, too, is
; still a division that never traps.

; CHECK-LABEL: define i32 @is_zero(
; CHECK-NEXT: [[LESS:%.*]] = icmp ult i32 %a, %b
; CHECK-NEXT: zext i1 [[LESS]] to i32
; CHECK-NOT: udiv
; CHECK: ret i32
define i32 @is_zero(i32 %a, i32 %b) {
  %q = udiv i32 %a, %b
  %zero = icmp eq i32 %q, 0
  %r = zext i1 %zero to i32
  ret i32 %r
}

; CHECK-LABEL: define i32 @both(
; CHECK: %divisor.zero = icmp eq i32
; CHECK: udiv i32 %a, %divisor.safe
; CHECK-NEXT: [[NOT_LESS:%.*]] = icmp uge i32 %a, %b
; CHECK-NEXT: select i1 [[NOT_LESS]]
define i32 @both(i32 noundef %a, i32 noundef %b) {
  %q = udiv i32 %a, %b
  %some = icmp ne i32 %q, 0
  %r = select i1 %some, i32 %q, i32 7
  ret i32 %r
}

; CHECK-LABEL: define i1 @signed(
; CHECK: sdiv i32 %a, %divisor.safe
; CHECK: icmp eq i32
define i1 @signed(i32 noundef %a, i32 noundef %b) {
  %q = sdiv i32 %a, %b
  %zero = icmp eq i32 %q, 0
  ret i1 %zero
}

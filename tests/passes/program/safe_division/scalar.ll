; RUN: --passes=safe-division
; Operands that would trap get the divisor 1; constants that cannot are left alone.

; Division by -1 is a change of sign, so that the check needs the divisor alone.
; CHECK-LABEL: @signed(
; CHECK: [[SUM:%.*]] = add i32 %b, 1
; CHECK: [[HARMFUL:%.*]] = icmp ult i32 [[SUM]], 2
; CHECK: [[SAFE:%.*]] = select i1 [[HARMFUL]], i32 1, i32 %b
; CHECK: [[Q:%.*]] = sdiv i32 %a, [[SAFE]]
; CHECK: [[MINUS:%.*]] = icmp eq i32 %b, -1
; CHECK: [[NEGATED:%.*]] = sub i32 0, [[Q]]
; CHECK: [[RESULT:%.*]] = select i1 [[MINUS]], i32 [[NEGATED]], i32 [[Q]]
; CHECK: ret i32 [[RESULT]]
define i32 @signed(i32 noundef %a, i32 noundef %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}

; CHECK-LABEL: @unsigned(
; CHECK: [[ZERO:%.*]] = icmp eq i64 %b, 0
; CHECK: [[SAFE:%.*]] = select i1 [[ZERO]], i64 1, i64 %b
; CHECK: urem i64 %a, [[SAFE]]
define i64 @unsigned(i64 noundef %a, i64 noundef %b) {
  %r = urem i64 %a, %b
  ret i64 %r
}

; A divisor that may be undefined must be the same in the check and in the division. What is left of
; a division by -1 is 0.
; CHECK-LABEL: @loaded(
; CHECK: [[B:%.*]] = freeze i8
; CHECK: [[SUM:%.*]] = add i8 [[B]], 1
; CHECK: [[R:%.*]] = srem i8 %a
; CHECK: ret i8 [[R]]
define i8 @loaded(ptr %p) {
  %a = load i8, ptr %p
  %b = load i8, ptr %p
  %r = srem i8 %a, %b
  ret i8 %r
}

; CHECK-LABEL: @constants(
; CHECK-NOT: select
; CHECK: sdiv i32 %a, 7
; CHECK: udiv i32 {{.*}}, -1
define i32 @constants(i32 %a) {
  %x = sdiv i32 %a, 7
  %y = udiv i32 %x, -1
  ret i32 %y
}

; CHECK-LABEL: @minus_one(
; CHECK: [[Q:%.*]] = sdiv i32 %a, 1
; CHECK: sub i32 0, [[Q]]
define i32 @minus_one(i32 noundef %a) {
  %x = sdiv i32 %a, -1
  ret i32 %x
}

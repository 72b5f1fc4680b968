; RUN: --passes=link-builtins,function(check-arithmetic)
; Divisors of 0, shifts beyond the width, and conversions out of range are told; what follows stays.

; CHECK-LABEL: define {{.*}}@divide(
; CHECK: icmp eq i32 %b, 0
; CHECK: br i1
; CHECK: call void @quern.check.fault(
; CHECK: udiv i32 %a, %b
define spir_func i32 @divide(i32 %a, i32 %b) {
  %q = udiv i32 %a, %b
  ret i32 %q
}

; The front end takes the amount by the width.
; CHECK-LABEL: define {{.*}}@shift(
; CHECK: icmp uge i32 %n, 32
; CHECK: call void @quern.check.fault(
; CHECK: shl i32 %a, %shl.mask
define spir_func i32 @shift(i32 %a, i32 %n) {
  %shl.mask = and i32 %n, 31
  %s = shl i32 %a, %shl.mask
  ret i32 %s
}

; CHECK-LABEL: define {{.*}}@convert(
; CHECK: fcmp ogt double
; CHECK: fcmp olt double
; CHECK: call void @quern.check.fault(
; CHECK: fptosi float %x to i32
define spir_func i32 @convert(float %x) {
  %i = fptosi float %x to i32
  ret i32 %i
}

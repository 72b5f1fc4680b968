; RUN: --passes=flushed-functions
; What the front end says of denormals becomes an attribute that keeps nothing from being inlined.

; CHECK: define void @flushing() [[FLUSHING:#[0-9]+]]
define void @flushing() "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  ret void
}

; CHECK: define void @exact() {
define void @exact() "denormal-fp-math"="ieee,ieee" {
  ret void
}

; CHECK-NOT: denormal-fp-math
; CHECK: attributes [[FLUSHING]] = { {{.*}}"quern-flush-denormals" }

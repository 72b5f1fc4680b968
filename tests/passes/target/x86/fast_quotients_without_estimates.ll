; RUN: --passes=fast-quotients --target=x86_64;cpu=x86-64-v3
; LLVM must not make products of estimates either.

; CHECK-LABEL: define {{.*}} @quotient(
; CHECK-NEXT: [[Q:%.*]] = fdiv reassoc nnan ninf nsz contract afn <8 x float> %x, %y
; CHECK-NEXT: ret <8 x float> [[Q]]
define <8 x float> @quotient(<8 x float> %x, <8 x float> %y) {
  %q = fdiv fast <8 x float> %x, %y
  ret <8 x float> %q
}

; RUN: --passes=fast-quotients --target=x86_64;cpu=x86-64-v2
; Without fused multiply-adds LLVM must not make products of estimates either.

; CHECK-LABEL: define {{.*}} @quotient(
; CHECK-NEXT: [[Q:%.*]] = fdiv reassoc nnan ninf nsz contract afn <4 x float> %x, %y
; CHECK-NEXT: ret <4 x float> [[Q]]
define <4 x float> @quotient(<4 x float> %x, <4 x float> %y) {
  %q = fdiv fast <4 x float> %x, %y
  ret <4 x float> %q
}

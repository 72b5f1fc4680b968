; RUN: --passes=fast-quotients --target=x86_64;cpu=x86-64-v3
; The older estimates are improved likewise.

; CHECK-LABEL: define {{.*}} @quotient(
; CHECK-NEXT: [[R:%.*]] = call <8 x float> @llvm.x86.avx.rcp.ps.256(<8 x float> %y)
; CHECK-NEXT: [[MINUS:%.*]] = fneg <8 x float> %y
; CHECK-NEXT: [[REST:%.*]] = call <8 x float> @llvm.fma.v8f32(<8 x float> [[MINUS]], <8 x float> [[R]], <8 x float> splat (float 1.000000e+00))
; CHECK-NEXT: [[IS_NUMBER:%.*]] = fcmp olt <8 x float> [[REST]], splat (float 5.000000e-01)
; CHECK-NEXT: [[SMALL:%.*]] = select <8 x i1> [[IS_NUMBER]], <8 x float> [[REST]], <8 x float> splat (float 5.000000e-01)
; CHECK-NEXT: [[RECIPROCAL:%.*]] = call <8 x float> @llvm.fma.v8f32(<8 x float> [[R]], <8 x float> [[SMALL]], <8 x float> [[R]])
; CHECK-NEXT: [[Q:%.*]] = fmul <8 x float> %x, [[RECIPROCAL]]
; CHECK-NEXT: ret <8 x float> [[Q]]
define <8 x float> @quotient(<8 x float> %x, <8 x float> %y) {
  %q = fdiv fast <8 x float> %x, %y
  ret <8 x float> %q
}

; Wider vectors fill no register.
; CHECK-LABEL: define {{.*}} @wide(
; CHECK-NEXT: fdiv reassoc nnan ninf nsz contract afn <16 x float> %x, %y
define <16 x float> @wide(<16 x float> %x, <16 x float> %y) {
  %q = fdiv fast <16 x float> %x, %y
  ret <16 x float> %q
}

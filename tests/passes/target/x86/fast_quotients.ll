; RUN: --passes=fast-quotients --target=x86_64;cpu=x86-64-v4
; Numbers are multiplied by the divisor's reciprocal, which is estimated and improved once where the estimate is neither zero nor
; infinite. Quotients that must not be made so, or that fill no register, stay.

; CHECK-LABEL: define {{.*}} @quotient(
; CHECK-NEXT: [[R:%.*]] = call <16 x float> @llvm.x86.avx512.rcp14.ps.512(<16 x float> %y, <16 x float> zeroinitializer, i16 -1)
; CHECK-NEXT: [[MINUS:%.*]] = fneg <16 x float> %y
; CHECK-NEXT: [[REST:%.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> [[MINUS]], <16 x float> [[R]], <16 x float> splat (float 1.000000e+00))
; CHECK-NEXT: [[IS_NUMBER:%.*]] = fcmp olt <16 x float> [[REST]], splat (float 5.000000e-01)
; CHECK-NEXT: [[SMALL:%.*]] = select <16 x i1> [[IS_NUMBER]], <16 x float> [[REST]], <16 x float> splat (float 5.000000e-01)
; CHECK-NEXT: [[RECIPROCAL:%.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> [[R]], <16 x float> [[SMALL]], <16 x float> [[R]])
; CHECK-NEXT: [[Q:%.*]] = fmul <16 x float> %x, [[RECIPROCAL]]
; CHECK-NEXT: ret <16 x float> [[Q]]
define <16 x float> @quotient(<16 x float> %x, <16 x float> %y) {
  %q = fdiv fast <16 x float> %x, %y
  ret <16 x float> %q
}

; CHECK-LABEL: define {{.*}} @of_half(
; CHECK: fpext <8 x half> %y to <8 x float>
; CHECK: call <8 x float> @llvm.x86.avx512.rcp14.ps.256(
; CHECK-NOT: fmul
; CHECK: fptrunc <8 x float> {{%.*}} to <8 x half>
define <8 x half> @of_half(<8 x half> %y) {
  %q = fdiv arcp <8 x half> splat (half 1.0), %y
  ret <8 x half> %q
}

; CHECK-LABEL: define {{.*}} @others(
; CHECK-NEXT: fdiv nnan <2 x float>
; CHECK-NEXT: fdiv nnan <4 x float>
; CHECK-NEXT: fdiv fast float
define void @others(<2 x float> %a, <4 x float> %b, float %c, ptr %p) {
  %qa = fdiv nnan arcp <2 x float> %a, %a
  %qb = fdiv nnan <4 x float> %b, %b
  %qc = fdiv fast float %c, %c
  store volatile <2 x float> %qa, ptr %p
  store volatile <4 x float> %qb, ptr %p
  store volatile float %qc, ptr %p
  ret void
}

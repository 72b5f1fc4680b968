; RUN: --passes=reciprocal-roots --target=x86_64;cpu=x86-64-v4
; Numbers that are divided by a root are multiplied by its reciprocal, which is estimated and improved once, without the root where
; nothing else needs that.

; CHECK-LABEL: define {{.*}} @reciprocal(
; CHECK-NEXT: [[Y:%.*]] = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %x, <16 x float> zeroinitializer, i16 -1)
; CHECK-NEXT: [[XY:%.*]] = fmul <16 x float> %x, [[Y]]
; CHECK-NEXT: [[MINUS:%.*]] = fneg <16 x float> [[XY]]
; CHECK-NEXT: [[REST:%.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> [[MINUS]], <16 x float> [[Y]], <16 x float> splat (float 1.000000e+00))
; CHECK-NEXT: [[IS_NUMBER:%.*]] = fcmp olt <16 x float> [[REST]], splat (float 5.000000e-01)
; CHECK-NEXT: [[SMALL:%.*]] = select <16 x i1> [[IS_NUMBER]], <16 x float> [[REST]], <16 x float> splat (float 5.000000e-01)
; CHECK-NEXT: [[HALF:%.*]] = fmul <16 x float> [[Y]], splat (float 5.000000e-01)
; CHECK-NEXT: [[RECIPROCAL:%.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> [[HALF]], <16 x float> [[SMALL]], <16 x float> [[Y]])
; CHECK-NEXT: ret <16 x float> [[RECIPROCAL]]
define <16 x float> @reciprocal(<16 x float> %x) {
  %root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %x)
  %r = fdiv <16 x float> splat (float 1.0), %root
  ret <16 x float> %r
}

; CHECK-LABEL: define {{.*}} @quotient(
; CHECK: call <8 x float> @llvm.x86.avx512.rsqrt14.ps.256(
; CHECK-NOT: fdiv
; CHECK: fmul <8 x float> %a,
define <8 x float> @quotient(<8 x float> %a, <8 x float> %x) {
  %root = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %x)
  %r = fdiv <8 x float> %a, %root
  ret <8 x float> %r
}

; CHECK-LABEL: define {{.*}} @both(
; CHECK: [[ROOT:%.*]] = {{.*}}call <16 x float> @llvm.sqrt
; CHECK-NEXT: [[Y:%.*]] = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %x, <16 x float> zeroinitializer, i16 -1)
; CHECK-NEXT: [[MINUS:%.*]] = fneg <16 x float> [[ROOT]]
; CHECK-NEXT: [[REST:%.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> [[MINUS]], <16 x float> [[Y]], <16 x float> splat (float 1.000000e+00))
; CHECK-NEXT: fcmp olt
; CHECK-NEXT: [[SMALL:%.*]] = select
; CHECK-NEXT: [[RECIPROCAL:%.*]] = call <16 x float> @llvm.fma.v16f32(<16 x float> [[Y]], <16 x float> [[SMALL]], <16 x float> [[Y]])
; CHECK-NEXT: store <16 x float> [[ROOT]]
; CHECK-NEXT: fmul <16 x float> %a, [[RECIPROCAL]]
define <16 x float> @both(<16 x float> %a, <16 x float> %x, ptr %p) {
  %root = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %x)
  store <16 x float> %root, ptr %p
  %r = fdiv <16 x float> %a, %root
  ret <16 x float> %r
}

; Quotients of double that need not be exact are improved by three powers of what the estimate lacks.
; CHECK-LABEL: define {{.*}} @inexact_of_double(
; CHECK-NEXT: [[Y:%.*]] = call <8 x double> @llvm.x86.avx512.rsqrt14.pd.512(<8 x double> %x, <8 x double> zeroinitializer, i8 -1)
; CHECK-NEXT: [[XY:%.*]] = fmul <8 x double> %x, [[Y]]
; CHECK-NEXT: [[MINUS:%.*]] = fneg <8 x double> [[XY]]
; CHECK-NEXT: [[REST:%.*]] = call <8 x double> @llvm.fma.v8f64(<8 x double> [[MINUS]], <8 x double> [[Y]], <8 x double> splat (double 1.000000e+00))
; CHECK-NEXT: [[IS_NUMBER:%.*]] = fcmp olt <8 x double> [[REST]], splat (double 5.000000e-01)
; CHECK-NEXT: [[SMALL:%.*]] = select <8 x i1> [[IS_NUMBER]], <8 x double> [[REST]], <8 x double> splat (double 5.000000e-01)
; CHECK-NEXT: [[CUBIC:%.*]] = call <8 x double> @llvm.fma.v8f64(<8 x double> splat (double 3.125000e-01), <8 x double> [[SMALL]], <8 x double> splat (double 3.750000e-01))
; CHECK-NEXT: [[CURVE:%.*]] = call <8 x double> @llvm.fma.v8f64(<8 x double> [[CUBIC]], <8 x double> [[SMALL]], <8 x double> splat (double 5.000000e-01))
; CHECK-NEXT: [[CHANGE:%.*]] = fmul <8 x double> [[Y]], [[SMALL]]
; CHECK-NEXT: [[RECIPROCAL:%.*]] = call <8 x double> @llvm.fma.v8f64(<8 x double> [[CHANGE]], <8 x double> [[CURVE]], <8 x double> [[Y]])
; CHECK-NEXT: ret <8 x double> [[RECIPROCAL]]
define <8 x double> @inexact_of_double(<8 x double> %x) {
  %root = call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
  %r = fdiv arcp <8 x double> splat (double 1.0), %root
  ret <8 x double> %r
}

; CHECK-LABEL: define {{.*}} @quarter_register(
; CHECK: call <2 x double> @llvm.x86.avx512.rsqrt14.pd.128(
define <2 x double> @quarter_register(<2 x double> %x) {
  %root = call <2 x double> @llvm.sqrt.v2f64(<2 x double> %x)
  %r = fdiv arcp <2 x double> splat (double 1.0), %root
  ret <2 x double> %r
}

; CHECK-LABEL: define {{.*}} @exact(
; CHECK: call <8 x double> @llvm.sqrt
; CHECK: fdiv
define <8 x double> @exact(<8 x double> %x) {
  %root = call <8 x double> @llvm.sqrt.v8f64(<8 x double> %x)
  %r = fdiv <8 x double> splat (double 1.0), %root
  ret <8 x double> %r
}

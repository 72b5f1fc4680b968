; RUN: --passes=scaling-instructions --target=x86_64;cpu=x86-64-v4
; A multiplication by a power of 2 whose exponent is a whole number of floating point is one instruction, which rounds the exponent
; down by itself, for each register that the numbers fill. Any other is left to LLVM.

declare <8 x double> @llvm.ldexp.v8f64.v8i32(<8 x double>, <8 x i32>)
declare <8 x i32> @llvm.fptosi.sat.v8i32.v8f64(<8 x double>)
declare <8 x double> @llvm.floor.v8f64(<8 x double>)
declare <3 x float> @llvm.ldexp.v3f32.v3i32(<3 x float>, <3 x i32>)
declare <3 x i32> @llvm.fptosi.sat.v3i32.v3f32(<3 x float>)
declare <16 x double> @llvm.ldexp.v16f64.v16i32(<16 x double>, <16 x i32>)
declare <16 x i32> @llvm.fptosi.sat.v16i32.v16f64(<16 x double>)
declare float @llvm.ldexp.f32.i32(float, i32)
declare i32 @llvm.fptosi.sat.i32.f32(float)

; CHECK-LABEL: define {{.*}} @whole(
; CHECK-NEXT: [[R:%.*]] = call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(<8 x double> %v, <8 x double> %e, <8 x double> zeroinitializer, i8 -1, i32 4)
; CHECK-NEXT: ret <8 x double> [[R]]
define <8 x double> @whole(<8 x double> %v, <8 x double> %e) {
  %floor = call <8 x double> @llvm.floor.v8f64(<8 x double> %e)
  %i = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f64(<8 x double> %floor)
  %r = call <8 x double> @llvm.ldexp.v8f64.v8i32(<8 x double> %v, <8 x i32> %i)
  ret <8 x double> %r
}

; CHECK-LABEL: define {{.*}} @parts(
; CHECK: [[P:%.*]] = call <4 x float> @llvm.x86.avx512.mask.scalef.ps.128(
; CHECK-NEXT: [[R:%.*]] = shufflevector <4 x float> [[P]], <4 x float> {{poison|undef}}, <3 x i32> <i32 0, i32 1, i32 2>
; CHECK-NEXT: ret <3 x float> [[R]]
define <3 x float> @parts(<3 x float> %v, <3 x float> %e) {
  %i = call <3 x i32> @llvm.fptosi.sat.v3i32.v3f32(<3 x float> %e)
  %r = call <3 x float> @llvm.ldexp.v3f32.v3i32(<3 x float> %v, <3 x i32> %i)
  ret <3 x float> %r
}

; CHECK-LABEL: define {{.*}} @two(
; CHECK-COUNT-2: call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(
; CHECK-NOT: fptosi
; CHECK: ret
define <16 x double> @two(<16 x double> %v, <16 x double> %e) {
  %i = call <16 x i32> @llvm.fptosi.sat.v16i32.v16f64(<16 x double> %e)
  %r = call <16 x double> @llvm.ldexp.v16f64.v16i32(<16 x double> %v, <16 x i32> %i)
  ret <16 x double> %r
}

; CHECK-LABEL: define {{.*}} @one(
; CHECK: [[P:%.*]] = call <4 x float> @llvm.x86.avx512.mask.scalef.ps.128(
; CHECK-NEXT: [[R:%.*]] = extractelement <4 x float> [[P]], i64 0
; CHECK-NEXT: ret float [[R]]
define float @one(float %v, float %e) {
  %i = call i32 @llvm.fptosi.sat.i32.f32(float %e)
  %r = call float @llvm.ldexp.f32.i32(float %v, i32 %i)
  ret float %r
}

; CHECK-LABEL: define {{.*}} @integer(
; CHECK-NOT: scalef
; CHECK: call float @llvm.ldexp.f32.i32(
define float @integer(float %v, i32 %e) {
  %r = call float @llvm.ldexp.f32.i32(float %v, i32 %e)
  ret float %r
}

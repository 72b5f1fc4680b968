; RUN: --passes=c-functions
; Only calls of functions that the program does not define, with C's types, are changed.

; CHECK-LABEL: @calls(
; CHECK: call spir_func float @_Z3sinf(float %x)
; CHECK: call spir_func float @_Z3fmafff(float %x, float %x, float %a)
; CHECK: call spir_func double @_Z3fmaddd(double %y, double %y, double %y)
; CHECK: call spir_func float @_Z5ldexpfi(float %b, i32 %i)
; CHECK: call spir_func i32 @_Z5ilogbd(double %c)
; CHECK: call spir_func double @_Z4rintd(double %c)
define double @calls(float %x, double %y, i32 %i) {
  %a = call float @sinf(float %x)
  %b = call spir_func float @fmaf(float %x, float %x, float %a)
  %c = call spir_func double @fma(double %y, double %y, double %y)
  %d = call float @ldexpf(float %b, i32 %i)
  %e = call i32 @ilogb(double %c)
  %f = call double @nearbyint(double %c)
  %g = fpext float %d to double
  %h = sitofp i32 %e to double
  %k = fadd double %g, %h
  %r = fadd double %k, %f
  ret double %r
}

; CHECK-LABEL: @intrinsics(
; CHECK: call fast spir_func float @_Z5atan2ff(float %x, float %x)
; CHECK: call spir_func <4 x float> @_Z3powDv4_fS_(<4 x float> %v, <4 x float> %v)
; CHECK: call spir_func <4 x float> @_Z5ldexpDv4_fDv4_i(<4 x float> %b, <4 x i32> %i)
; CHECK: call spir_func <4 x float> @_Z5ldexpDv4_fi(<4 x float> %c, i32 3)
; CHECK: call spir_func float @_Z4pownfi(float %a, i32 3)
; CHECK: call float @llvm.fabs.f32(float %d)
; CHECK: call <5 x float> @llvm.sin.v5f32(<5 x float> %w)
define <4 x float> @intrinsics(float %x, <4 x float> %v, <4 x i32> %i, <5 x float> %w) {
  %a = call fast float @llvm.atan2.f32(float %x, float %x)
  %b = call <4 x float> @llvm.pow.v4f32(<4 x float> %v, <4 x float> %v)
  %c = call <4 x float> @llvm.ldexp.v4f32.v4i32(<4 x float> %b, <4 x i32> %i)
  %s = call <4 x float> @llvm.ldexp.v4f32.i32(<4 x float> %c, i32 3)
  %d = call float @llvm.powi.f32.i32(float %a, i32 3)
  %e = call float @llvm.fabs.f32(float %d)
  %f = call <5 x float> @llvm.sin.v5f32(<5 x float> %w)
  %g = extractelement <5 x float> %f, i32 4
  %h = insertelement <4 x float> %s, float %g, i32 0
  %r = insertelement <4 x float> %h, float %e, i32 1
  ret <4 x float> %r
}

; CHECK-LABEL: @remainders(
; CHECK: call fast spir_func float @_Z4fmodff(float %x, float 3.000000e+00)
; CHECK: call spir_func <2 x double> @_Z4fmodDv2_dS_(<2 x double> %v, <2 x double> %v)
define <2 x double> @remainders(float %x, <2 x double> %v, ptr %out) {
  %a = frem fast float %x, 3.0
  store float %a, ptr %out
  %b = frem <2 x double> %v, %v
  ret <2 x double> %b
}

; CHECK-LABEL: @others(
; CHECK: call float @cosf(float %x)
; CHECK: call double @sin(double %y, double %y)
; CHECK: call float @stepf(float %x, float %x)
define double @others(float %x, double %y) {
  %a = call float @cosf(float %x)
  %b = call double @sin(double %y, double %y)
  %c = call float @stepf(float %x, float %x)
  %d = fadd float %a, %c
  %e = fpext float %d to double
  %r = fadd double %b, %e
  ret double %r
}

define float @cosf(float %x) {
  ret float %x
}

declare float @sinf(float)
declare spir_func float @fmaf(float, float, float)
declare spir_func double @fma(double, double, double)
declare float @ldexpf(float, i32)
declare i32 @ilogb(double)
declare double @nearbyint(double)
declare double @sin(double, double)
declare float @stepf(float, float)

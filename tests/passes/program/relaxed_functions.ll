; RUN: --passes=relaxed-functions
; Only calls that may be approximated, of functions of float, are changed.

; CHECK-LABEL: @approximate(
; CHECK: call fast spir_func float @_Z13__relaxed_sinf(float %x)
; CHECK: call afn spir_func <4 x float> @_Z13__relaxed_powDv4_fS_(<4 x float> %v, <4 x float> %v)
; CHECK: call fast spir_func float @_Z3tanf(float %x)
; CHECK: [[ROOT:%.*]] = call fast float @llvm.sqrt.f32(float %x)
; CHECK: fdiv fast float 1.000000e+00, [[ROOT]]
define float @approximate(float %x, <4 x float> %v, ptr %out) {
  %a = call fast spir_func float @_Z3sinf(float %x)
  %b = call afn spir_func <4 x float> @_Z3powDv4_fS_(<4 x float> %v, <4 x float> %v)
  %c = call fast spir_func float @_Z3tanf(float %x)
  %d = call fast spir_func float @_Z5rsqrtf(float %x)
  store <4 x float> %b, ptr %out
  %s = fadd float %a, %c
  %t = fadd float %s, %d
  ret float %t
}

; CHECK-LABEL: @exact(
; CHECK: call spir_func float @_Z3sinf(float %x)
; CHECK: call fast spir_func double @_Z3sind(double %y)
; CHECK: call spir_func float @_Z4sqrtf(float %x)
define float @exact(float %x, double %y, ptr %out) {
  %a = call spir_func float @_Z3sinf(float %x)
  %b = call fast spir_func double @_Z3sind(double %y)
  store double %b, ptr %out
  %c = call spir_func float @_Z4sqrtf(float %x)
  %s = fadd float %a, %c
  ret float %s
}

declare spir_func float @_Z3sinf(float)
declare spir_func double @_Z3sind(double)
declare spir_func float @_Z3tanf(float)
declare spir_func float @_Z4sqrtf(float)
declare spir_func float @_Z5rsqrtf(float)
declare spir_func <4 x float> @_Z3powDv4_fS_(<4 x float>, <4 x float>)

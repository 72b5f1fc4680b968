; RUN: --passes=c-functions
; What a program has by the built-in functions' own symbols stays its own, and what calls C's functions or LLVM's then stays as it is.

; CHECK: @_Z3cosf = addrspace(1) global i32 3
@_Z3cosf = addrspace(1) global i32 3

; CHECK-LABEL: @_Z4fmodff(
; CHECK: frem float %a, %b
define spir_func float @_Z4fmodff(float %a, float %b) {
  %r = frem float %a, %b
  ret float %r
}

; CHECK-LABEL: @calls(
; CHECK: call float @cosf(float %x)
; CHECK: call float @llvm.exp.f32(float %a)
; CHECK: call spir_func float @_Z3sinf(float %b)
define float @calls(float %x) {
  %a = call float @cosf(float %x)
  %b = call float @llvm.exp.f32(float %a)
  %c = call float @sinf(float %b)
  ret float %c
}

declare float @cosf(float)
declare float @sinf(float)
declare spir_func i32 @_Z3expf(float)

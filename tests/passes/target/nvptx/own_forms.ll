; RUN: --steps=link-builtins --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; Functions of the library that have a form of their own for these devices: the program calls that, and so does what it calls;
; only the form itself calls the other one.

target triple = "spir64"

; CHECK-LABEL: define float @program(
; CHECK: call spir_func float @_Z11__nvptx_expf(float %x)
; CHECK: call spir_func float @_Z11__nvptx_sinf(
; CHECK: call spir_func half @_Z4exp2Dh(
; CHECK: call spir_func float @_Z3logf(
define float @program(float %x, half %h) {
  %power = call spir_func float @_Z3expf(float %x)
  %sine = call spir_func float @_Z3sinf(float %power)
  %small = call spir_func half @_Z4exp2Dh(half %h)
  %wide = fpext half %small to float
  %sum = fadd float %sine, %wide
  %result = call spir_func float @_Z3logf(float %sum)
  ret float %result
}

; CHECK-LABEL: define {{.*}}@_Z11__nvptx_sinf(
; CHECK: call spir_func float @_Z3sinf(
; CHECK-LABEL: define {{.*}}@_Z4exp2Dh(
; CHECK: call spir_func float @_Z12__nvptx_exp2f(
declare spir_func float @_Z3expf(float)
declare spir_func float @_Z3sinf(float)
declare spir_func half @_Z4exp2Dh(half)
declare spir_func float @_Z3logf(float)

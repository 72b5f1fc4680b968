; RUN: --steps=link-builtins --target=x86_64;cpu=x86-64-v3
; Without AVX-512 a multiplication by a power of 2 is two by numbers that are made from bits.

declare spir_func float @_Z3expf(float)

; CHECK-LABEL: define {{.*}}float @_Z14__quern_scaledff(
; CHECK-COUNT-2: fmul float
; CHECK-NOT: ldexp
define spir_func float @of(float %x) {
  %e = call spir_func float @_Z3expf(float %x)
  ret float %e
}

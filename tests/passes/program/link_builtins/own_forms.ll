; RUN: --passes=link-builtins --target=x86_64;cpu=x86-64-v4
; Functions have forms for AVX-512, which come first, and for fused multiply-adds. What these leave to the common form stays there.

declare spir_func double @_Z3logd(double)
declare spir_func float @_Z3logf(float)
declare spir_func double @_Z3sind(double)

; CHECK-LABEL: define {{.*}} @of(
; CHECK: call {{.*}}double @_Z12__avx512_logd(
; CHECK: call {{.*}}float @_Z9__fma_logf(
; CHECK: call {{.*}}double @_Z3sind(
; CHECK-LABEL: define {{.*}} @_Z17__avx512_rare_logd(
; CHECK: call {{.*}}double @_Z3logd(
define spir_func double @of(double %x, float %y, ptr addrspace(1) %out) {
  %a = call spir_func double @_Z3logd(double %x)
  %f = call spir_func float @_Z3logf(float %y)
  %b = call spir_func double @_Z3sind(double %x)
  store float %f, ptr addrspace(1) %out
  %sum = fadd double %a, %b
  ret double %sum
}

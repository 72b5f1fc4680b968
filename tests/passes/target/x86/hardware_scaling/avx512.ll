; RUN: --passes=link-builtins,hardware-scaling --target=x86_64;cpu=x86-64-v4
; AVX-512 has an instruction for the multiplication by a power of 2.

declare spir_func float @_Z3expf(float)
declare spir_func <4 x double> @_Z4exp2Dv4_d(<4 x double>)

; CHECK-DAG: define {{.*}}float @_Z14__quern_scaledff(float{{.*}} [[X:%.*]], float{{.*}} [[N:%.*]])
; CHECK-DAG: [[I:%.*]] = call i32 @llvm.fptosi.sat.i32.f32(float [[N]])
; CHECK-DAG: call float @llvm.ldexp.f32.i32(float [[X]], i32 [[I]])
; CHECK-DAG: define {{.*}}<4 x double> @_Z14__quern_scaledDv4_dS_(<4 x double>{{.*}} [[V:%.*]], <4 x double>{{.*}} [[M:%.*]])
; CHECK-DAG: [[J:%.*]] = call <4 x i32> @llvm.fptosi.sat.v4i32.v4f64(<4 x double> [[M]])
; CHECK-DAG: call <4 x double> @llvm.ldexp.v4f64.v4i32(<4 x double> [[V]], <4 x i32> [[J]])
define spir_func <4 x double> @of(float %x, <4 x double> %v, ptr addrspace(1) %out) {
  %e = call spir_func float @_Z3expf(float %x)
  store float %e, ptr addrspace(1) %out
  %p = call spir_func <4 x double> @_Z4exp2Dv4_d(<4 x double> %v)
  ret <4 x double> %p
}

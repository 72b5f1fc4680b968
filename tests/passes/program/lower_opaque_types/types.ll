; RUN: --passes=lower-opaque-types
; Images become addresses of constant descriptions and samplers become bits, wherever they are kept.

; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-SAME: ptr addrspace(2) noalias noundef readonly align 8 dereferenceable({{[0-9]+}}) %image, i64 %sampler, float %x)
; CHECK: alloca ptr addrspace(2)
; CHECK: store ptr addrspace(2) %image
; CHECK: [[LOADED:%.*]] = load ptr addrspace(2)
; CHECK: call spir_func float @helper(ptr addrspace(2) [[LOADED]], i64 %sampler, float %x)
define spir_kernel void @kernel(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler, float %x) {
  %slot = alloca target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), align 8
  store target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, ptr %slot, align 8
  %loaded = load target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), ptr %slot, align 8
  %r = call spir_func float @helper(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %loaded, target("spirv.Sampler") %sampler, float %x)
  ret void
}

; Only kernels know that nothing changes the description.
; CHECK-LABEL: define spir_func float @helper(ptr addrspace(2) %image, i64 %sampler, float %x)
; CHECK: call spir_func float @read(ptr addrspace(2) %image, i64 %sampler, float %x)
define spir_func float @helper(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler, float %x) {
  %r = call spir_func float @read(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Sampler") %sampler, float %x)
  ret float %r
}

; CHECK: declare spir_func float @read(ptr addrspace(2), i64, float)
declare spir_func float @read(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), target("spirv.Sampler"), float)

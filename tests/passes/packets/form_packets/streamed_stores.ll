; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4
; Whole vectors of what better is not in the caches are stored past them, for which straight code becomes packets. Masked stores,
; and those of single elements, stay as they are.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @scaled.region.0.packet(
; CHECK: call void @llvm.masked.store
; CHECK-NOT: !nontemporal
; CHECK-LABEL: define {{.*}} @scaled.region.0.tile(
; CHECK-COUNT-4: store <16 x float> {{.*}}, align 4, !nontemporal
define spir_kernel void @scaled(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %v = load float, ptr addrspace(1) %p
  %twice = fadd float %v, %v
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %twice, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define {{.*}} @vectors.region.0.tile(
; CHECK-COUNT-4: store <16 x float> {{.*}}, align 4, !nontemporal
define spir_kernel void @vectors(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %gid
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %twice = fadd <4 x float> %v, %v
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %gid
  store <4 x float> %twice, ptr addrspace(1) %q, align 16
  ret void
}

; Where work-items read apart, packets would gain nothing.
; CHECK-NOT: @apart{{.*}}.packet
define spir_kernel void @apart(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %pitch) #0 {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = mul i64 %gid, %pitch
  %p = getelementptr float, ptr addrspace(1) %in, i64 %i
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %v, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "quern-exceeds-caches" }

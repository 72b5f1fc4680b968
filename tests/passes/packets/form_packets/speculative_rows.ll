; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4;packets=16
; Pairs at numbers whose bits a mask of the launch parts: where the packet does not leave a block, they follow each other.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @pairs.region.0.tile(
; CHECK: icmp uge
; CHECK: br i1 {{.*}}, label %together, label %each
; CHECK: {{^}}together:
; CHECK-COUNT-2: load <16 x float>, ptr addrspace(1)
; CHECK: {{^}}each:
; CHECK-COUNT-16: load <2 x float>, ptr addrspace(1)
; CHECK: {{^}}access.done:
; CHECK-COUNT-2: phi <16 x float>
; CHECK: br i1 {{.*}}, label %together{{.*}}, label %each
; CHECK: {{^}}together{{.*}}:
; CHECK-COUNT-2: store <16 x float> {{.*}}, ptr addrspace(1)
; CHECK: {{^}}each{{.*}}:
; CHECK-COUNT-16: store <2 x float> {{.*}}, ptr addrspace(1)
; CHECK: {{^}}}
define spir_kernel void @pairs(ptr addrspace(1) %p, i32 %mask) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %id = trunc i64 %gid to i32
  %low = and i32 %id, %mask
  %high = sub i32 %id, %low
  %twice = shl i32 %high, 1
  %place = or i32 %twice, %low
  %wide = sext i32 %place to i64
  %p0 = getelementptr { float, float }, ptr addrspace(1) %p, i64 %wide
  %p1 = getelementptr float, ptr addrspace(1) %p0, i64 1
  %a = load float, ptr addrspace(1) %p0
  %b = load float, ptr addrspace(1) %p1
  %sum = fadd float %a, %b
  %difference = fsub float %a, %b
  store float %sum, ptr addrspace(1) %p0
  store float %difference, ptr addrspace(1) %p1
  ret void
}

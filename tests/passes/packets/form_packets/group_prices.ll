; RUN: --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,group-shapes,isolate-barriers,form-regions,form-packets
; A group of six is no packet where that costs more than what its work-items keep across barriers: elements of the program's vectors would
; be gathered. It is one where its numbers stay in registers and its elements lie side by side.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-NOT: @vectors.one_packet
; CHECK: define {{.*}} @vectors.region.0(
; CHECK: define {{.*}} @vectors.region.1(
; CHECK-NOT: @vectors.one_packet
define spir_kernel void @vectors(ptr addrspace(1) %p, ptr addrspace(1) %out) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr <8 x float>, ptr addrspace(1) %p, i64 %i
  %r = getelementptr <8 x float>, ptr addrspace(1) %out, i64 %i
  %behind = getelementptr float, ptr addrspace(1) %q, i64 3
  %a = load <8 x float>, ptr addrspace(1) %q, align 4
  %b = load <8 x float>, ptr addrspace(1) %behind, align 4
  %ab = fmul <8 x float> %a, %b
  call spir_func void @_Z7barrierj(i32 1)
  %far = getelementptr float, ptr addrspace(1) %q, i64 50
  %farther = getelementptr float, ptr addrspace(1) %q, i64 77
  %c = load <8 x float>, ptr addrspace(1) %far, align 4
  %d = load <8 x float>, ptr addrspace(1) %farther, align 4
  %cd = fmul <8 x float> %c, %d
  %sum = fadd <8 x float> %ab, %cd
  store <8 x float> %sum, ptr addrspace(1) %r, align 4
  ret void
}

; CHECK: define {{.*}} @numbers.one_packet.region.0.packet(
define spir_kernel void @numbers(ptr addrspace(1) %p, ptr addrspace(1) %out) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  %r = getelementptr float, ptr addrspace(1) %out, i64 %i
  %a = load float, ptr addrspace(1) %q
  %aa = fmul float %a, %a
  call spir_func void @_Z7barrierj(i32 1)
  %behind = getelementptr float, ptr addrspace(1) %q, i64 6
  %b = load float, ptr addrspace(1) %behind
  %sum = fadd float %aa, %b
  store float %sum, ptr addrspace(1) %r
  ret void
}

!0 = !{i32 6, i32 1, i32 1}

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Vectors that are only loaded, chosen among and stored move as one number each; those that something is computed from have their
; elements apart.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define {{.*}} @moves.region.0.packet(
; CHECK: call <4 x i64> @llvm.masked.load.v4i64.p1(
; CHECK: select <4 x i1> {{.*}}, <4 x i64> {{.*}}, <4 x i64> zeroinitializer
; CHECK: call void @llvm.masked.store.v4i64.p3(
; CHECK-LABEL: define {{.*}} @moves.region.1.packet(
; CHECK: fadd <4 x float>
define spir_kernel void @moves(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(3) %tile, i64 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr <2 x float>, ptr addrspace(1) %in, i64 %id
  %v = load <2 x float>, ptr addrspace(1) %p
  %outside = icmp uge i64 %id, %n
  %w = select i1 %outside, <2 x float> zeroinitializer, <2 x float> %v
  %t = getelementptr <2 x float>, ptr addrspace(3) %tile, i64 %id
  store <2 x float> %w, ptr addrspace(3) %t
  call spir_func void @_Z7barrierj(i32 1)
  %other = xor i64 %id, 1
  %u = getelementptr <2 x float>, ptr addrspace(3) %tile, i64 %other
  %x = load <2 x float>, ptr addrspace(3) %u
  %y = fadd <2 x float> %x, splat (float 1.0)
  %q = getelementptr <2 x float>, ptr addrspace(1) %out, i64 %id
  store <2 x float> %y, ptr addrspace(1) %q
  ret void
}

; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,group-shapes,isolate-barriers,form-regions,form-packets
; Packets of 16 work-items that hold four rows of four: what all rows of the packet read of a short array is read once, what
; each row reads of a matrix is read by rows.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define {{.*}} @tiles.region.0.tile(
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1)
; CHECK: store <16 x float> {{%.*}}, ptr addrspace(3)
define spir_kernel void @tiles(ptr addrspace(1) %m, ptr addrspace(3) %l, ptr addrspace(1) %out, i64 %width) #0 !reqd_work_group_size !0 {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %row = mul i64 %y, %width
  %i = add i64 %row, %x
  %pm = getelementptr float, ptr addrspace(1) %m, i64 %i
  %vm = load float, ptr addrspace(1) %pm
  %y4 = mul i64 %y, 4
  %own = add i64 %y4, %x
  %pl = getelementptr float, ptr addrspace(3) %l, i64 %own
  store float %vm, ptr addrspace(3) %pl
  call spir_func void @_Z7barrierj(i32 1)
; The first elements of a row each, and the first row's elements.
; CHECK-LABEL: define {{.*}} @tiles.region.1.tile(
; CHECK: call <16 x float> @llvm.masked.load.v16f32.p3(ptr addrspace(3) align 4 {{%.*}}, <16 x i1> <i1 true, i1 false, i1 false, i1 false, i1 true,
; CHECK: shufflevector <16 x float> {{%.*}}, <16 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 4, i32 4, i32 4, i32 4, i32 8,
; CHECK: load <4 x float>, ptr addrspace(3)
; CHECK: shufflevector <4 x float> {{%.*}}, <4 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1,
  %pf = getelementptr float, ptr addrspace(3) %l, i64 %y4
  %vf = load float, ptr addrspace(3) %pf
  %pc = getelementptr float, ptr addrspace(3) %l, i64 %x
  %vc = load float, ptr addrspace(3) %pc
  %sum = fadd float %vf, %vc
  %po = getelementptr float, ptr addrspace(1) %out, i64 %own
  store float %sum, ptr addrspace(1) %po
  ret void
}

attributes #0 = { "uniform-work-group-size"="true" }
!0 = !{i32 4, i32 8, i32 1}

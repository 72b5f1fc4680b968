; RUN: --target=x86_64;cpu=x86-64-v3;sub-group=8;packets=4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops
; Between the loops of two regions, vectors of operands are joined: four sums side by side for what all get, and then what is left;
; for a scan what came before is added to what each vector makes of its own work-items. Nothing calls the library's functions.

declare spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4), i32)
declare spir_func float @__quern_group_item_float_float(ptr addrspace(4), float)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK-NOT: call void @add
; CHECK: region.1:
; CHECK: and i64 %items, -16
; CHECK: region.2:
; CHECK: and i64 %items, -4
; CHECK: phi <4 x i32> [ zeroinitializer, %region.1 ]
; CHECK-COUNT-4: load <4 x i32>, ptr {{.*}}, align 4
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p0(
; CHECK: [[SUM:%.+]] = extractelement <4 x i32> {{%.+}}, i64 0
; CHECK-NEXT: store i32 [[SUM]],
; CHECK: [[OWN:%.+]] = load <4 x float>, ptr {{.*}}, align 4
; CHECK: [[NEIGHBOURS:%.+]] = shufflevector <4 x float> [[OWN]], <4 x float> splat (float -0.000000e+00), <4 x i32> <i32 4, i32 0, i32 1, i32 2>
; CHECK: [[TWO:%.+]] = fadd <4 x float> [[NEIGHBOURS]], [[OWN]]
; CHECK: shufflevector <4 x float> [[TWO]], <4 x float> splat (float -0.000000e+00), <4 x i32> <i32 4, i32 5, i32 0, i32 1>
; CHECK: store <4 x float>
; CHECK: call void @llvm.masked.store.v4f32.p0(
; CHECK-NOT: call void @add
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %x = trunc i64 %id to i32
  %a = call spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4) addrspacecast (ptr @add_int_reduce to ptr addrspace(4)), i32 %x)
  %f = sitofp i32 %x to float
  %b = call spir_func float @__quern_group_item_float_float(ptr addrspace(4) addrspacecast (ptr @add_float_scan_inclusive to ptr addrspace(4)), float %f)
  %own = getelementptr float, ptr addrspace(1) %q, i64 %id
  store i32 %a, ptr addrspace(1) %p
  store float %b, ptr addrspace(1) %own
  ret void
}

define internal spir_func void @add_int_reduce(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal spir_func void @add_float_scan_inclusive(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}

; RUN: --target=x86_64;cpu=x86-64-v3;sub-group=8 --steps=prepare-kernels,work-item-bodies,clean-up,sub-groups,isolate-barriers,form-regions,form-packets
; Functions of a sub-group that is a packet: operations on vectors, of those work-items that call them.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4), i32)
declare spir_func float @__quern_sub_group_float_float(ptr addrspace(4), float)
declare spir_func i32 @__quern_sub_group_int_int_uint(ptr addrspace(4), i32, i32)

; The place is taken modulo the size; only in the packet at an edge may its work-item not be there.
; CHECK-LABEL: define {{.*}} @shuffle.sub_groups.region.0.tile(
; CHECK: and <8 x i32> {{%.+}}, splat (i32 7)
; CHECK: call <8 x i32> @llvm.x86.avx2.permd(
; CHECK-NOT: icmp
; CHECK: ret i32
define spir_kernel void @shuffle(ptr addrspace(1) %p, i32 %d) {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %x = load i32, ptr addrspace(1) %q
  %j = xor i32 %x, %d
  %v = call spir_func i32 @__quern_sub_group_int_int_uint(ptr addrspace(4) addrspacecast (ptr @pick_int.7 to ptr addrspace(4)), i32 %x, i32 %j)
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; Only of those for which the condition holds: the others have what changes nothing.
; CHECK-LABEL: define {{.*}} @sum.sub_groups.region.0.packet(
; CHECK: [[OPERANDS:%.+]] = select <8 x i1> {{%.+}}, <8 x float> {{%.+}}, <8 x float> splat (float -0.000000e+00)
; CHECK: [[FAR1:%.+]] = shufflevector <8 x float> [[OPERANDS]], <8 x float> poison, <8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6>
; CHECK: [[SUM1:%.+]] = fadd <8 x float> [[OPERANDS]], [[FAR1]]
; CHECK: shufflevector <8 x float> [[SUM1]], <8 x float> poison, <8 x i32> <i32 2, i32 3, i32 0, i32 1, i32 6, i32 7, i32 4, i32 5>
; CHECK: shufflevector <8 x float> {{%.+}}, <8 x float> poison, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
define spir_kernel void @sum(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr float, ptr addrspace(1) %p, i64 %i
  %x = load float, ptr addrspace(1) %q
  %c = fcmp ogt float %x, 1.0
  br i1 %c, label %yes, label %no
yes:
  %v = call spir_func float @__quern_sub_group_float_float(ptr addrspace(4) addrspacecast (ptr @add_float_reduce to ptr addrspace(4)), float %x)
  store float %v, ptr addrspace(1) %q
  br label %no
no:
  ret void
}

; What has no instructions goes through memory; a packet's work-items are told which take part.
; CHECK-LABEL: define {{.*}} @unknown.sub_groups.region.0.packet(
; CHECK: zext <8 x i1> {{%.+}} to <8 x i32>
; CHECK: [[COUNT:%.+]] = zext i32 {{%.+}} to i64
; CHECK: store volatile i64 [[COUNT]], ptr
define spir_kernel void @unknown(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %x = load i32, ptr addrspace(1) %q
  %v = call spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4) addrspacecast (ptr @other to ptr addrspace(4)), i32 %x)
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define {{.*}} @vote.sub_groups.region.0.tile(
; CHECK: [[HOLDS:%.+]] = icmp ne <8 x i32>
; CHECK: bitcast <8 x i1> {{%.+}} to i8
; CHECK: icmp ne i8
; CHECK-NOT: call void @any_of
; CHECK: ret i32
define spir_kernel void @vote(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %x = load i32, ptr addrspace(1) %q
  %v = call spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4) addrspacecast (ptr @any_of to ptr addrspace(4)), i32 %x)
  store i32 %v, ptr addrspace(1) %q
  ret void
}

define internal spir_func void @any_of(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i64 %count, ptr %results
  ret void
}
define internal spir_func void @add_float_reduce(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i64 %count, ptr %results
  ret void
}
define internal spir_func void @pick_int.7(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i64 %count, ptr %results
  ret void
}
define internal spir_func void @other(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i64 %count, ptr %results
  ret void
}

; RUN: --target=x86_64;cpu=x86-64-v3;sub-group=8 --steps=prepare-kernels,work-item-bodies,clean-up,sub-groups,isolate-barriers,form-regions,form-packets,work-group-loops
; The form in which sub-groups are packets runs where no row ends inside a sub-group, or groups have one row.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4), i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: [[SIZES:%.+]] = or i64 %tile.size, %global.size
; CHECK: [[REST:%.+]] = and i64 [[SIZES]], 7
; CHECK: [[ONE_Y:%.+]] = icmp eq i64 %tile.size{{[0-9]+}}, 1
; CHECK: [[ONE_Z:%.+]] = icmp eq i64 %tile.size{{[0-9]+}}, 1
; CHECK: [[ROW:%.+]] = and i1 [[ONE_Y]], [[ONE_Z]]
; CHECK: [[WHOLE:%.+]] = icmp eq i64 [[REST]], 0
; CHECK: [[EITHER:%.+]] = or i1 [[WHOLE]], [[ROW]]
; CHECK: br i1 [[EITHER]], label %sub.groups, label %sub.groups.not
; CHECK: sub.groups:
; CHECK: call void @quern.kernel.k.sub_groups(ptr %arguments, ptr %launch, ptr %scratch, i64 %group.x.begin, i64 %group.x.end, i64 %group.y, i64 %group.z)
; CHECK: ret void
; CHECK: call void @any_of(
; CHECK-LABEL: define internal void @quern.kernel.k.sub_groups(
; CHECK: icmp ne <8 x i32>
; CHECK-NOT: call void @any_of
; CHECK: declare
define spir_kernel void @k(ptr addrspace(1) %p) {
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

; RUN: --target=x86_64;cpu=x86-64-v3;sub-group=8 --steps=prepare-kernels,work-item-bodies,clean-up,sub-groups,isolate-barriers,form-regions,form-packets,work-group-loops
; A form that counts the work-items of groups of 1 x 8 as a row runs where the NDRange has whole groups only.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4), i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: [[CUT:%.+]] = urem i64 %global.size{{[0-9]+}}, 8
; CHECK: [[OUTSIDE:%.+]] = or i64 {{.*}}[[CUT]]
; CHECK: [[WHOLE:%.+]] = icmp eq i64 {{.+}}, 0
; CHECK: br i1 [[WHOLE]], label %sub.groups, label %sub.groups.not
; CHECK: call void @any_of(
; CHECK-LABEL: define internal void @quern.kernel.k.sub_groups(
; CHECK: icmp ne <8 x i32>
; CHECK-NOT: call void @any_of
; CHECK: declare
define spir_kernel void @k(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %i = call spir_func i64 @_Z12get_local_idj(i32 1)
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

!0 = !{i32 1, i32 8, i32 1}

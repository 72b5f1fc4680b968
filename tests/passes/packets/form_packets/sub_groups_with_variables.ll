; RUN: --target=x86_64;cpu=x86-64-v3;sub-group=8 --steps=prepare-kernels,work-item-bodies,clean-up,sub-groups,isolate-barriers,form-regions,form-packets
; Programs with variables of their own have code for large ids, which is made from the general form.

@calls = internal addrspace(1) global i32 0

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4), i32)

; CHECK: define {{.*}} @line.region
; CHECK: define {{.*}} @line.sub_groups.region.0(
define spir_kernel void @line(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %x = load i32, ptr addrspace(1) @calls
  %v = call spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4) addrspacecast (ptr @any_of to ptr addrspace(4)), i32 %x)
  store i32 %v, ptr addrspace(1) @calls
  store i32 %v, ptr addrspace(1) %q
  ret void
}

define internal spir_func void @any_of(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i64 %count, ptr %results
  ret void
}

!0 = !{i32 16, i32 1, i32 1}

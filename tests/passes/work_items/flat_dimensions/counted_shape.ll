; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),sub-group-forms,function(flat-dimensions) --target=x86_64;cpu=x86-64-v3;sub-group=8
; Groups of 1 x 8 have one work-item in dimension 0 as the program counts them. Where sub-groups are packets, a row of that form has eight.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4), i32)

; CHECK-LABEL: define void @k.item(
; CHECK: store volatile i64 %item.y
define spir_kernel void @k(ptr addrspace(1) %p, i32 %x) !reqd_work_group_size !0 {
  %row = call spir_func i64 @_Z12get_local_idj(i32 1)
  store volatile i64 %row, ptr addrspace(1) %p
  %v = call i32 @__quern_sub_group_int_int(ptr addrspace(4) addrspacecast (ptr @any_of to ptr addrspace(4)), i32 %x)
  store i32 %v, ptr addrspace(1) %p
  ret void
}

define internal spir_func void @any_of(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i32 0, ptr %results
  ret void
}

; CHECK-LABEL: define void @k.item.sub_groups(
; CHECK: store volatile i64 %item.x

!0 = !{i32 1, i32 8, i32 1}

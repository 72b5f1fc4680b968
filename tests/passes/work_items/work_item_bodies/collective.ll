; RUN: --steps=prepare-kernels,work-item-bodies,sub-groups
; Operands and results of a collective function become private variables; a result that is the same for all is marked.

declare spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4), i32)
declare spir_func float @__quern_sub_group_float_float_uint(ptr addrspace(4), float, i32)
declare spir_func i32 @__quern_group_item_int_int(ptr addrspace(4), i32)

; CHECK-LABEL: define void @k.item(
; CHECK: store i32 %x, ptr [[OPERAND:%.+]], align 4
; CHECK: call void @quern.collective.group_uniform(ptr @combine, ptr [[RESULT:%.+]], ptr [[OPERAND]], ptr null)
; CHECK: load i32, ptr [[RESULT]], align 4, !quern.uniform
; CHECK: store float %y, ptr [[VALUE:%.+]], align 4
; CHECK: store i32 7, ptr [[INDEX:%.+]], align 4
; CHECK: call void @quern.collective.sub_group(ptr @combine, ptr [[RESULT2:%.+]], ptr [[VALUE]], ptr [[INDEX]])
; CHECK: load float, ptr [[RESULT2]], align 4{{$}}
; A program that only uses the name has called an undefined function.
; CHECK: call i32 @__quern_group_item_int_int(
; CHECK: declare void @quern.collective.group_uniform(ptr, ptr, ptr, ptr) [[ATTRIBUTES:#[0-9]+]]
; CHECK: attributes [[ATTRIBUTES]] = { convergent
define spir_kernel void @k(i32 %x, float %y, ptr addrspace(1) %p, ptr addrspace(4) %unknown) {
  %a = call spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4) addrspacecast (ptr @combine to ptr addrspace(4)), i32 %x)
  store i32 %a, ptr addrspace(1) %p
  %b = call spir_func float @__quern_sub_group_float_float_uint(ptr addrspace(4) addrspacecast (ptr @combine to ptr addrspace(4)), float %y, i32 7)
  store float %b, ptr addrspace(1) %p
  %c = call spir_func i32 @__quern_group_item_int_int(ptr addrspace(4) %unknown, i32 %x)
  ret void
}

define internal spir_func void @combine(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}

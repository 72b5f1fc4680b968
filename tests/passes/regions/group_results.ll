; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(group-results,isolate-barriers)
; Of a vote and a broadcast only the result is left, which work-items that know it store; a reduction keeps its operands.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4), i32)
declare spir_func i32 @__quern_group_uniform_int_int_ulong(ptr addrspace(4), i32, i64)

; CHECK-LABEL: define {{.*}} @k.item(
; CHECK: %x = load i32
; CHECK: [[FROZEN:%.+]] = freeze i32 %x
; CHECK: [[HOLDS:%.+]] = icmp ne i32 [[FROZEN]], 0
; CHECK: br i1 [[HOLDS]], label %[[YES:[^ ,]+]], label
; CHECK: [[YES]]:
; CHECK: store i32 1, ptr [[ANY:%[^ ,]+]]
; CHECK: call void @quern.collective.group_uniform({{.*}}@any, {{.*}}[[ANY]], ptr null, ptr null)
; CHECK: [[HERE:%.+]] = icmp eq i64 {{.*}}, %n
; CHECK: br i1 [[HERE]], label %[[FROM:[^ ,]+]], label
; CHECK: [[FROM]]:
; CHECK: store i32 %x, ptr [[VALUE:%[^ ,]+]]
; CHECK: call void @quern.collective.group_uniform({{.*}}@broadcast_int, {{.*}}[[VALUE]], ptr null, ptr null)
; CHECK: call void @quern.collective.group_uniform({{.*}}@add_int_reduce, {{.*}}%{{.+}}, {{.*}}%{{.+}}, ptr null)
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %x = load i32, ptr addrspace(1) %q
  %a = call spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4) addrspacecast (ptr @any to ptr addrspace(4)), i32 %x)
  %b = call spir_func i32 @__quern_group_uniform_int_int_ulong(ptr addrspace(4) addrspacecast (ptr @broadcast_int to ptr addrspace(4)), i32 %x, i64 %n)
  %c = call spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4) addrspacecast (ptr @add_int_reduce to ptr addrspace(4)), i32 %b)
  %sum = add i32 %a, %c
  store i32 %sum, ptr addrspace(1) %q
  ret void
}

define internal spir_func void @any(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal spir_func void @broadcast_int(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal spir_func void @add_int_reduce(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}

; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,group-shapes
; Where groups fit one packet, the form for that calls collective functions as operations on values; the other one keeps their variables.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_group_uniform_int_int_ulong(ptr addrspace(4), i32, i64)
declare spir_func float @__quern_group_item_float_float(ptr addrspace(4), float)

; CHECK-LABEL: define {{.*}} @k.item(
; CHECK: call void @quern.collective.group_uniform({{.*}}@broadcast_int, {{.+}}, {{.+}}, {{.+}})
; CHECK: call void @quern.collective.group({{.*}}@add_float_scan_exclusive, {{.+}}, {{.+}}, ptr null)

; CHECK-LABEL: define {{.*}} @k.item.one_packet(
; CHECK-NOT: alloca
; CHECK: [[X:%.+]] = trunc i64 %item.x to i32
; CHECK: [[A:%.+]] = call i32 @quern.packet.collective.uniform.i32.i32.i64({{.*}}@broadcast_int, i32 [[X]], i64 %n)
; CHECK: [[F:%.+]] = sitofp i32 [[A]] to float
; CHECK: [[B:%.+]] = call float @quern.packet.collective.float.float({{.*}}@add_float_scan_exclusive, float [[F]])
; CHECK: store float [[B]]
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %x = trunc i64 %id to i32
  %a = call spir_func i32 @__quern_group_uniform_int_int_ulong(ptr addrspace(4) addrspacecast (ptr @broadcast_int to ptr addrspace(4)), i32 %x, i64 %n)
  %f = sitofp i32 %a to float
  %b = call spir_func float @__quern_group_item_float_float(ptr addrspace(4) addrspacecast (ptr @add_float_scan_exclusive to ptr addrspace(4)), float %f)
  %q = getelementptr float, ptr addrspace(1) %p, i64 %id
  store float %b, ptr addrspace(1) %q
  ret void
}

define internal spir_func void @broadcast_int(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal spir_func void @add_float_scan_exclusive(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}

!0 = !{i32 12, i32 1, i32 1}

; RUN: --passes=link-builtins,lower-opaque-types,check-copies
; A copy is told with what it copies and its event, which is its own number where it is given none; and each event that is waited for.

declare spir_func target("spirv.Event") @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(ptr addrspace(3), ptr addrspace(1), i64, target("spirv.Event"))
declare spir_func void @_Z17wait_group_eventsiP9ocl_event(i32, ptr)

; CHECK-LABEL: define {{.*}}@k(
; CHECK: [[GIVEN:%.*]] = select i1 {{.*}}, i64 1, i64
; CHECK: [[TO:%.*]] = mul i64 {{%.*}}, 1099511628211
; CHECK: [[FROM:%.*]] = ptrtoint ptr addrspace(1) %from to i64
; CHECK: [[BOTH:%.*]] = xor i64 [[TO]], [[FROM]]
; CHECK: [[MIXED:%.*]] = mul i64 [[BOTH]], 1099511628211
; CHECK: [[ALL:%.*]] = xor i64 [[MIXED]], %n
; CHECK: [[WHAT:%.*]] = mul i64 [[ALL]], 1099511628211
; CHECK: call void @quern.check.barrier(ptr {{@.*}}, i64 [[WHAT]], i64 [[GIVEN]], i64 2)
; CHECK: call {{.*}}@_Z21async_work_group_copy{{.*}}(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %n, i64 [[GIVEN]])
; CHECK: [[NUMBER:%.*]] = load i64, ptr %e
; CHECK: call void @quern.check.barrier(ptr {{@.*}}, i64 [[NUMBER]], i64 0, i64 3)
; CHECK: call {{.*}}@_Z17wait_group_events
define spir_kernel void @k(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %n, ptr %given) {
  %e = alloca target("spirv.Event"), align 8
  %before = load target("spirv.Event"), ptr %given, align 8
  %copied = call spir_func target("spirv.Event") @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %n, target("spirv.Event") %before)
  store target("spirv.Event") %copied, ptr %e, align 8
  call spir_func void @_Z17wait_group_eventsiP9ocl_event(i32 1, ptr %e)
  ret void
}

; CHECK-LABEL: define {{.*}}@several(
; CHECK: [[COUNT:%.*]] = zext i32 %n to i64
; CHECK: [[INDEX:%.*]] = phi i64
; CHECK: getelementptr i64, ptr %events, i64 [[INDEX]]
; CHECK: call void @quern.check.barrier({{.*}}, i64 3)
; CHECK: icmp {{.*}} [[COUNT]]
define spir_kernel void @several(i32 %n, ptr %events) {
  call spir_func void @_Z17wait_group_eventsiP9ocl_event(i32 %n, ptr %events)
  ret void
}

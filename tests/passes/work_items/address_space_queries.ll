; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse,infer-address-spaces,address-space-queries)

declare spir_func i32 @__quern_address_space_of(ptr addrspace(4))

; The origin is visible: 1 global, 3 local, 0 private.
; CHECK-LABEL: define void @known.item(
; CHECK: store volatile i32 1, ptr addrspace(1) %p
; CHECK: store volatile i32 3, ptr addrspace(1) %p
; CHECK: store volatile i32 0, ptr addrspace(1) %p
define spir_kernel void @known(ptr addrspace(1) %p, ptr addrspace(3) %l) {
  %x = alloca i32
  %element = getelementptr i32, ptr addrspace(1) %p, i64 4
  %g = addrspacecast ptr addrspace(1) %element to ptr addrspace(4)
  %a = call spir_func i32 @__quern_address_space_of(ptr addrspace(4) %g)
  store volatile i32 %a, ptr addrspace(1) %p
  %lg = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %b = call spir_func i32 @__quern_address_space_of(ptr addrspace(4) %lg)
  store volatile i32 %b, ptr addrspace(1) %p
  %xg = addrspacecast ptr %x to ptr addrspace(4)
  %c = call spir_func i32 @__quern_address_space_of(ptr addrspace(4) %xg)
  store volatile i32 %c, ptr addrspace(1) %p
  ret void
}

; Otherwise the bounds of local memory, context and stack decide.
; CHECK-LABEL: define void @unknown.item(
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(4) %g to i64
; CHECK: [[LOCAL:%.*]] = icmp ult i64
; CHECK: [[CONTEXT:%.*]] = icmp ult i64
; CHECK: [[STACK:%.*]] = icmp ult i64
; CHECK: [[PRIVATE:%.*]] = or i1 [[CONTEXT]], [[STACK]]
; CHECK: [[OTHER:%.*]] = select i1 [[PRIVATE]], i32 0, i32 1
; CHECK: [[SPACE:%.*]] = select i1 [[LOCAL]], i32 3, i32 [[OTHER]]
; CHECK: store i32 [[SPACE]]
define spir_kernel void @unknown(ptr addrspace(1) %p) {
  %g = load ptr addrspace(4), ptr addrspace(1) %p
  %a = call spir_func i32 @__quern_address_space_of(ptr addrspace(4) %g)
  store i32 %a, ptr addrspace(1) %p
  ret void
}

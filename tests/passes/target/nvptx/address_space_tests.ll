; RUN: --steps=retarget,prepare-kernels,nvptx-kernels,clean-up --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; Where a pointer's origin cannot be seen the hardware is asked: 1 global, 3 local, 0 private.

declare spir_func i32 @__quern_address_space_of(ptr addrspace(4))

; CHECK-LABEL: define {{.*}}@known(
; CHECK: store volatile i32 1, ptr addrspace(1) %p
; CHECK: store volatile i32 3, ptr addrspace(1) %p
; CHECK: store volatile i32 0, ptr addrspace(1) %p
; CHECK-NOT: isspacep
; CHECK: ret void
define spir_kernel void @known(ptr addrspace(1) %p, ptr addrspace(3) %l) {
  %x = alloca i32
  %g = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %a = call spir_func i32 @__quern_address_space_of(ptr addrspace(4) %g)
  store volatile i32 %a, ptr addrspace(1) %p
  %m = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %b = call spir_func i32 @__quern_address_space_of(ptr addrspace(4) %m)
  store volatile i32 %b, ptr addrspace(1) %p
  %o = addrspacecast ptr %x to ptr addrspace(4)
  %c = call spir_func i32 @__quern_address_space_of(ptr addrspace(4) %o)
  store volatile i32 %c, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}}@unknown(
; CHECK: [[POINTER:%.*]] = load ptr, ptr addrspace(1) %p
; CHECK: [[PRIVATE:%.*]] = call i1 @llvm.nvvm.isspacep.local(ptr [[POINTER]])
; CHECK: [[OTHER:%.*]] = select i1 [[PRIVATE]], i32 0, i32 1
; CHECK: [[SHARED:%.*]] = call i1 @llvm.nvvm.isspacep.shared(ptr [[POINTER]])
; CHECK: select i1 [[SHARED]], i32 3, i32 [[OTHER]]
define spir_kernel void @unknown(ptr addrspace(1) %p) {
  %g = load ptr addrspace(4), ptr addrspace(1) %p
  %a = call spir_func i32 @__quern_address_space_of(ptr addrspace(4) %g)
  store volatile i32 %a, ptr addrspace(1) %p
  ret void
}

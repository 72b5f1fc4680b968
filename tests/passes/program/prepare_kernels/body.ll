; RUN: --passes=prepare-kernels
; A kernel takes over the body that only it calls.

; CHECK: define void @k(ptr addrspace(1) %p) [[ATTRIBUTES:#[0-9]+]] !reqd_work_group_size
; CHECK-NEXT: entry:
; CHECK-NEXT: store i32 1, ptr addrspace(1) %p
; CHECK-NOT: __clang_ocl_kern_imp_k
; CHECK: define internal i32 @helper(
; CHECK-NOT: noinline
; CHECK: attributes [[ATTRIBUTES]] = { "quern-kernel"="k" "quern-sub-group-size"="1" }
define spir_kernel void @k(ptr addrspace(1) %p) !reqd_work_group_size !0 {
entry:
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) %p, ptr %slot
  %q = load ptr addrspace(1), ptr %slot
  call spir_func void @__clang_ocl_kern_imp_k(ptr addrspace(1) %q)
  ret void
}

define spir_func void @__clang_ocl_kern_imp_k(ptr addrspace(1) %p) {
entry:
  store i32 1, ptr addrspace(1) %p
  ret void
}

define spir_func i32 @helper(i32 %x) noinline {
  ret i32 %x
}

!0 = !{i32 4, i32 1, i32 1}

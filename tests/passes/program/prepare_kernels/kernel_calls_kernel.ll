; RUN: --passes=prepare-kernels
; A body that another kernel calls, too, stays a function; its own kernel gets a copy.

; CHECK-LABEL: define void @inner(ptr addrspace(1) %p)
; CHECK: store i32 1
; CHECK-LABEL: define internal void @__clang_ocl_kern_imp_inner(
; CHECK-LABEL: define void @outer(
; CHECK: call void @__clang_ocl_kern_imp_inner(
define spir_kernel void @inner(ptr addrspace(1) %p) {
  call spir_func void @__clang_ocl_kern_imp_inner(ptr addrspace(1) %p)
  ret void
}

define spir_func void @__clang_ocl_kern_imp_inner(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @outer(ptr addrspace(1) %p) {
  call spir_func void @__clang_ocl_kern_imp_outer(ptr addrspace(1) %p)
  ret void
}

define spir_func void @__clang_ocl_kern_imp_outer(ptr addrspace(1) %p) {
  call spir_func void @__clang_ocl_kern_imp_inner(ptr addrspace(1) %p)
  ret void
}

; RUN: --passes=child-records
; Kernels that enqueue others take the address of their launch's records as their last argument, and functions are passed it.

; CHECK-LABEL: define spir_kernel void @enqueues(ptr addrspace(1) %out, i64 %child.records)
; CHECK: call spir_func void @helper(i32 3, i64 %child.records)
define spir_kernel void @enqueues(ptr addrspace(1) %out) {
  call spir_func void @helper(i32 3)
  ret void
}

; CHECK-LABEL: define spir_kernel void @other(ptr addrspace(1) %out)
define spir_kernel void @other(ptr addrspace(1) %out) {
  ret void
}

; CHECK-LABEL: define spir_func void @helper(i32 %x, i64 %child.records)
; CHECK: call spir_func void @_Z12retain_event12ocl_clkevent(i64 7, i64 %child.records)
define spir_func void @helper(i32 %x) {
  call spir_func void @_Z12retain_event12ocl_clkevent(i64 7)
  ret void
}

; CHECK-LABEL: define spir_func void @_Z12retain_event12ocl_clkevent(i64 %event, i64 %child.records)
; CHECK: store i64 %child.records
define spir_func void @_Z12retain_event12ocl_clkevent(i64 %event) {
  %place = alloca i64
  %address = call spir_func i64 @__quern_children()
  store i64 %address, ptr %place
  ret void
}

declare spir_func i64 @__quern_children()

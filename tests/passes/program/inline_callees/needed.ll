; RUN: --steps=prepare-kernels,mark-callees,inline-callees
; What depends on the work-item is inlined through any number of calls; a built-in function of values is not.

; CHECK-LABEL: define void @k(
; CHECK: call void @_Z7barrierj(i32 1)
; CHECK: call i64 @_Z12get_local_idj(i32 0)
; CHECK: load i32, ptr addrspace(3) @variable
; CHECK: call float @sqrt_like(
; CHECK-NOT: define internal {{.*}} @outer
; CHECK-NOT: define internal {{.*}} @inner
@variable = internal addrspace(3) global i32 undef

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

define spir_func i64 @inner() {
  call spir_func void @_Z7barrierj(i32 1)
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  ret i64 %id
}

define spir_func i64 @outer() {
  %id = call spir_func i64 @inner()
  ret i64 %id
}

define spir_func i32 @reads_local() {
  %v = load i32, ptr addrspace(3) @variable
  ret i32 %v
}

define spir_func float @sqrt_like(float %x) {
  %y = fadd float %x, 1.0
  ret float %y
}

define spir_kernel void @k(ptr addrspace(1) %p) {
  %id = call spir_func i64 @outer()
  %v = call spir_func i32 @reads_local()
  %f = call spir_func float @sqrt_like(float 1.0)
  store i64 %id, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(1) %p
  store float %f, ptr addrspace(1) %p
  ret void
}

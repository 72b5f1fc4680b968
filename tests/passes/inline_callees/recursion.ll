; RUN: FAILS --steps=prepare-kernels,inline-callees
; CHECK: error: {{.*}}function 'even' calls itself, which OpenCL C does not allow
declare spir_func i64 @_Z12get_local_idj(i32)

define spir_func i64 @even(i64 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %r = call spir_func i64 @odd(i64 %id)
  ret i64 %r
}

define spir_func i64 @odd(i64 %n) {
  %r = call spir_func i64 @even(i64 %n)
  ret i64 %r
}

define spir_kernel void @k(ptr addrspace(1) %p) {
  %r = call spir_func i64 @even(i64 3)
  store i64 %r, ptr addrspace(1) %p
  ret void
}

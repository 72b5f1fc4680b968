; RUN: --passes=prepare-kernels,globalopt,initializers
; The compiler runs constructors whose result it can compute.

; CHECK: @object = internal {{.*}}addrspace(1) {{.*}} i32 42
; CHECK-NOT: @llvm.global_ctors
@object = addrspace(1) global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @_GLOBAL__sub_I_x, ptr null }]

define internal spir_kernel void @_GLOBAL__sub_I_x() {
  store i32 42, ptr addrspace(1) @object
  ret void
}

define spir_kernel void @k(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) @object, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %p
  ret void
}

; RUN: FAILS --passes=prepare-kernels,globalopt,initializers
; CHECK: error: {{.*}}a program-scope object needs a constructor
@object = addrspace(1) global ptr null
@other = external addrspace(1) global i32
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @_GLOBAL__sub_I_x, ptr null }]

define internal spir_kernel void @_GLOBAL__sub_I_x() {
  %x = load volatile i32, ptr addrspace(1) @other
  store i32 %x, ptr addrspace(1) @object
  ret void
}

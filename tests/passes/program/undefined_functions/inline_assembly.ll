; RUN: FAILS --passes=prepare-kernels,work-item-bodies,undefined-functions
; CHECK: error: {{.*}}inline assembly is not part of OpenCL C (in kernel 'k')
define spir_kernel void @k() {
  call void asm sideeffect "int3", ""()
  ret void
}

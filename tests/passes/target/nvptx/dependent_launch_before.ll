; RUN: --passes=nvptx-dependent-launch --target=nvptx64;cpu=sm_89;features=+ptx78;sub-group=32
; GPUs that are older than the instruction begin kernels when those before have ended.

; CHECK: define ptx_kernel void @kernel
; CHECK-NOT: griddepcontrol
define ptx_kernel void @kernel(ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  ret void
}

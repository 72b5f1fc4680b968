; RUN: --passes=launch-facts<kernel=k;local-size=8x4x1>
; The size that a program requires stays, and what is not known is not said.

; CHECK: define spir_kernel void @k(ptr addrspace(1) %p) !reqd_work_group_size [[SIZE:![0-9]+]]
; CHECK-NOT: attributes
; CHECK: [[SIZE]] = !{i32 16, i32 1, i32 1}
define spir_kernel void @k(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  ret void
}

!0 = !{i32 16, i32 1, i32 1}

; RUN: --passes=launch-facts<kernel=k;local-size=8x4x1;whole-groups;zero-offset;stored-bytes=1000000>
; The one kernel that launches are for is told what is known of them. The functions that it calls are its own, and what only other
; kernels need is gone.

; CHECK-NOT: @of_others
; CHECK-NOT: @other
; CHECK: define spir_kernel void @k({{.*}} [[FACTS:#[0-9]+]] !reqd_work_group_size [[SIZE:![0-9]+]]
; CHECK: define internal spir_func void @called(
; CHECK-NOT: @other
; CHECK: attributes [[FACTS]] = {
; CHECK-SAME: "quern-exceeds-caches"
; CHECK-SAME: "quern-zero-offset"
; CHECK-SAME: "uniform-work-group-size"="true"
; CHECK: [[SIZE]] = !{i32 8, i32 4, i32 1}
@of_others = internal addrspace(1) global i32 0

define spir_kernel void @k(ptr addrspace(1) %p) {
  call spir_func void @called(ptr addrspace(1) %p)
  ret void
}

define spir_func void @called(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @other() {
  call spir_func void @called(ptr addrspace(1) @of_others)
  ret void
}

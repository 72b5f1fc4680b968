; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,flat-dimensions
; A kernel that uses no local ids still crosses the program's work-groups where it is checked: faults are told by global ids.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @k.item(
; CHECK: call void @quern_check_fault(
define spir_kernel void @k(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %place, align 4
  ret void
}

; CHECK: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="7" "quern-kernel"="k"

!quern.checks = !{!0}
!0 = !{!"memory"}

; RUN: --passes=prepare-kernels,work-item-bodies,disjoint-memory
; Buffers that do not overlap are restricted pointers; local memory says nothing of them.

; CHECK: define void @k.item(ptr addrspace(1) noalias {{[^,]*}}%p, ptr addrspace(2) noalias {{[^,]*}}%c, ptr addrspace(3) {{[^,]*}}%l
; CHECK-NOT: ptr addrspace(3) noalias
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(2) %c, ptr addrspace(3) %l) {
  %x = load i32, ptr addrspace(2) %c
  store i32 %x, ptr addrspace(3) %l
  %y = load i32, ptr addrspace(3) %l
  store i32 %y, ptr addrspace(1) %p
  ret void
}

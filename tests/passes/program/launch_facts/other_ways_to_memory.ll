; RUN: --passes=prepare-kernels,work-item-bodies,disjoint-memory
; A kernel that makes a pointer of a number may reach its buffers by it.

; CHECK: define void @k.item(ptr addrspace(1) %p, i64 %address,
; CHECK: inttoptr
define spir_kernel void @k(ptr addrspace(1) %p, i64 %address) {
  %q = inttoptr i64 %address to ptr addrspace(1)
  %x = load i32, ptr addrspace(1) %q
  store i32 %x, ptr addrspace(1) %p
  ret void
}

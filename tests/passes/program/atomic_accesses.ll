; RUN: --steps=prepare-kernels,work-item-bodies,clean-up
; The functions for atomic operations take pointers to volatile objects in the generic address space. LLVM lets only accesses that are not
; volatile have the address space that is known; a volatile one that is not atomic stays as it is.

; CHECK-LABEL: @count.item(
; CHECK: store atomic i32 0, ptr addrspace(3) %p seq_cst, align 4
; CHECK: atomicrmw add ptr addrspace(3) %p, i32 1 seq_cst
; CHECK: cmpxchg ptr addrspace(3) %p, i32 %old, i32 7 acq_rel monotonic
; CHECK: load atomic i32, ptr addrspace(3) %p monotonic, align 4
; CHECK: load volatile i32, ptr addrspace(4) %generic
define spir_kernel void @count(ptr addrspace(3) %p, ptr addrspace(1) %out) {
  %generic = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)
  store atomic volatile i32 0, ptr addrspace(4) %generic seq_cst, align 4
  %old = atomicrmw volatile add ptr addrspace(4) %generic, i32 1 seq_cst, align 4
  %pair = cmpxchg volatile ptr addrspace(4) %generic, i32 %old, i32 7 acq_rel monotonic, align 4
  %now = load atomic volatile i32, ptr addrspace(4) %generic monotonic, align 4
  %again = load volatile i32, ptr addrspace(4) %generic
  %sum = add i32 %now, %again
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

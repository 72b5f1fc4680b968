; RUN: --steps=optimize --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32 --emit=asm
; LLVM drops the order of read-modify-write operations, so fences stand around them; a relaxed one has none.

; CHECK-LABEL: .visible .entry k(
; CHECK: fence.acq_rel.gpu;
; CHECK: atom.global.add.u32
; CHECK-NEXT: fence.acq_rel.gpu;
; CHECK-NEXT: atom.global.add.u32
; CHECK-NEXT: fence.sc.gpu;
; CHECK-NEXT: atom.global.add.u32
; CHECK-NEXT: fence.acq_rel.gpu;
; CHECK-NOT: fence
; CHECK: atom.shared.add.u32
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) %q) {
  %a = atomicrmw volatile add ptr addrspace(1) %p, i32 1 acq_rel
  %b = atomicrmw volatile add ptr addrspace(1) %p, i32 2 monotonic
  %c = atomicrmw volatile add ptr addrspace(1) %p, i32 3 seq_cst
  %d = atomicrmw volatile add ptr addrspace(3) %q, i32 %a monotonic
  %e = atomicrmw volatile add ptr addrspace(3) %q, i32 %b monotonic
  %f = atomicrmw volatile add ptr addrspace(3) %q, i32 %c monotonic
  %g = atomicrmw volatile add ptr addrspace(3) %q, i32 %d monotonic
  %h = atomicrmw volatile add ptr addrspace(3) %q, i32 %e monotonic
  %i = atomicrmw volatile add ptr addrspace(3) %q, i32 %f monotonic
  ret void
}

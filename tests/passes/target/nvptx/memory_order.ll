; RUN: --passes=nvptx-memory-order --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32 --emit=asm
; Volatile operations are of the device's scope; others of that of all devices. LLVM drops the order of read-modify-write operations, so fences stand around them; a relaxed one has none.

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

; CHECK-LABEL: .visible .entry all_devices(
; CHECK: ld.acquire.sys.global.b32
; CHECK: ld.acquire.gpu.global.b32
; CHECK: fence.acq_rel.sys;
; CHECK: atom.relaxed.sys.global.add.u32
; CHECK: fence.acq_rel.sys;
; CHECK-NOT: fence
; CHECK: neg.s64
; CHECK: atom.relaxed.sys.add.u64
; CHECK: atom.relaxed.sys.global.max.s32
; CHECK: atom.relaxed.sys.global.add.f32
; CHECK: atom.relaxed.sys.global.exch.b32
; CHECK: atom.relaxed.sys.global.cas.b32
; CHECK: st.release.sys.global.b32
; CHECK: ret;
define ptx_kernel void @all_devices(ptr addrspace(1) %p, ptr %q, float %x) #0 {
  %a = load atomic i32, ptr addrspace(1) %p acquire, align 4
  %b = load atomic volatile i32, ptr addrspace(1) %p acquire, align 4
  %ab = add i32 %a, %b
  %c = atomicrmw add ptr addrspace(1) %p, i32 %ab acq_rel
  %wide = zext i32 %c to i64
  %d = atomicrmw sub ptr %q, i64 %wide monotonic
  %e = atomicrmw max ptr addrspace(1) %p, i32 %c monotonic
  %f = atomicrmw fadd ptr addrspace(1) %p, float %x monotonic
  %g = atomicrmw xchg ptr addrspace(1) %p, float %f monotonic
  %h = atomicrmw fmax ptr addrspace(1) %p, float %g monotonic
  store atomic i32 %e, ptr addrspace(1) %p release, align 4
  ret void
}

; The instruction for sums of float flushes denormal numbers, but in the work-group's memory.
; CHECK-LABEL: .visible .entry denormals(
; CHECK-NOT: add.f32
; CHECK: ld.global.b32
; CHECK: add.rn.f32
; CHECK: atom.relaxed.gpu.global.cas.b32
; CHECK: sub.rn.f32
; CHECK: atom.relaxed.sys.global.cas.b32
; CHECK: atom.shared.add.f32
; CHECK: atom.global.add.f64
; CHECK: ret;
define ptx_kernel void @denormals(ptr addrspace(1) %p, ptr %q, ptr addrspace(3) %r, float %x, double %y) {
  %a = atomicrmw volatile fadd ptr addrspace(1) %p, float %x monotonic
  %b = atomicrmw fsub ptr %q, float %a monotonic
  %c = atomicrmw volatile fadd ptr addrspace(3) %r, float %b monotonic
  %d = atomicrmw volatile fadd ptr addrspace(1) %p, double %y monotonic
  store float %c, ptr %q
  ret void
}

; Where they are zero, it is taken.
; CHECK-LABEL: .visible .entry no_denormals(
; CHECK: atom.global.add.f32
define ptx_kernel void @no_denormals(ptr addrspace(1) %p, float %x) #0 {
  %a = atomicrmw volatile fadd ptr addrspace(1) %p, float %x monotonic
  store float %a, ptr addrspace(1) %p
  ret void
}

; There is none for 16 bits that is of all devices.
; CHECK-LABEL: .visible .entry halves(
; CHECK: atom.global.add.noftz.f16
; CHECK-NOT: add.f32
; CHECK: add.rn.f16
; CHECK: atom.relaxed.sys.global.cas
; CHECK: ret;
define ptx_kernel void @halves(ptr addrspace(1) %p, half %x) {
  %a = atomicrmw volatile fadd ptr addrspace(1) %p, half %x monotonic
  %b = atomicrmw fadd ptr addrspace(1) %p, half %a monotonic
  store half %b, ptr addrspace(1) %p
  ret void
}

attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }

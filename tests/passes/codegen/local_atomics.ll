; RUN: --passes=local-atomics
; One thread runs all work-items of a group: what they do to local memory need not be atomic.

; CHECK-LABEL: @local(
; CHECK-NOT: atomic
; CHECK: [[OLD:%.*]] = load i32, ptr addrspace(3) %p
; CHECK: [[NEW:%.*]] = add i32 [[OLD]], %v
; CHECK: store i32 [[NEW]], ptr addrspace(3) %p
; CHECK: icmp eq i32
; CHECK: select
; CHECK-NOT: seq_cst
; CHECK: ret i32
define i32 @local(ptr addrspace(3) %p, i32 %v) {
  %a = atomicrmw volatile add ptr addrspace(3) %p, i32 %v seq_cst
  %b = cmpxchg ptr addrspace(3) %p, i32 %a, i32 %v acq_rel monotonic
  %c = extractvalue { i32, i1 } %b, 0
  store atomic i32 %c, ptr addrspace(3) %p release, align 4
  %d = load atomic i32, ptr addrspace(3) %p seq_cst, align 4
  ret i32 %d
}

; CHECK-LABEL: @global(
; CHECK: atomicrmw add ptr addrspace(1)
define i32 @global(ptr addrspace(1) %p, i32 %v) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 %v seq_cst
  ret i32 %a
}

; RUN: --passes=prepare-kernels,work-item-bodies,check-directions
; The launch knows which arguments must not be read, and which must not be written.

; CHECK-LABEL: define void @k.item(
; CHECK-DAG: [[UNREADABLE:%.*]] = and i64 {{%.*}}, 1
; CHECK-DAG: [[READ:%.*]] = icmp ne i64 [[UNREADABLE]], 0
; CHECK-DAG: [[UNWRITABLE:%.*]] = and i64 {{%.*}}, 2
; CHECK-DAG: [[WRITE:%.*]] = icmp ne i64 [[UNWRITABLE]], 0
; CHECK: br i1 [[READ]],
; CHECK: call void @quern.check.fault(
; CHECK: load i32, ptr addrspace(1) %in
; CHECK: br i1 [[WRITE]],
; CHECK: call void @quern.check.fault(
; CHECK: store i32 %x, ptr addrspace(1) %out
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %x = load i32, ptr addrspace(1) %in, align 4
  store i32 %x, ptr addrspace(1) %out, align 4
  ret void
}

; What is atomic does both.
; CHECK-LABEL: define void @both.item(
; CHECK: call void @quern.check.fault(
; CHECK: call void @quern.check.fault(
; CHECK: atomicrmw add
define spir_kernel void @both(ptr addrspace(1) %counter) {
  %x = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic
  ret void
}

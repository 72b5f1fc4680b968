; RUN: --passes=prepare-kernels,work-item-bodies,check-races
; Accesses of shared memory are told: the address, what is stored, and 2^32 for a write with the number of bytes.

; CHECK-LABEL: define void @k.item(
; CHECK: call void @quern.check.access(ptr @quern.check.site{{.*}}, i64 [[FROM:%.*]], i64 0, i64 4)
; CHECK-NEXT: %x = load
; CHECK: call void @quern.check.access(ptr @quern.check.site{{.*}}, i64 {{%.*}}, i64 {{%.*}}, i64 4294967300)
; CHECK-NEXT: store i32 %x, ptr addrspace(1) %q
; CHECK-NOT: quern.check.access
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %own = alloca i32, align 4
  %x = load i32, ptr addrspace(1) %p, align 4
  store i32 %x, ptr addrspace(1) %q, align 4
  store i32 %x, ptr %own, align 4
  ret void
}

; RUN: --passes=prepare-kernels,work-item-bodies,check-races
; Accesses of shared memory are told: the address, what is stored, and 2^32 for a write with the number of bytes. Of an
; argument that is only read, only where the launch has given the same memory for another argument.

; CHECK-LABEL: define void @k.item(
; CHECK: %bits = load i64
; CHECK: [[BIT:%.*]] = and i64 %bits, 1
; CHECK: [[MAY:%.*]] = icmp ne i64 [[BIT]], 0
; CHECK: br i1 [[MAY]], label %[[TELL:.*]], label %[[READ:.*]], !prof
; CHECK: [[TELL]]:
; CHECK: call void @quern.check.access(ptr @quern.check.site{{.*}}, i64 [[FROM:%.*]], i64 0, i64 4)
; CHECK-NEXT: br label %[[READ]]
; CHECK: [[READ]]:
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

; What is also written is told in any case.
; CHECK-LABEL: define void @both.item(
; CHECK-NOT: br i1
; CHECK: call void @quern.check.access({{.*}}, i64 4)
; CHECK-NEXT: %x = load
; CHECK: call void @quern.check.access({{.*}}, i64 4294967300)
; CHECK: ret void
define spir_kernel void @both(ptr addrspace(1) %p) {
  %x = load i32, ptr addrspace(1) %p, align 4
  store i32 %x, ptr addrspace(1) %p, align 4
  ret void
}

; And all reads are where a pointer comes out of memory, which may point anywhere.
; CHECK-LABEL: define void @anywhere.item(
; CHECK-NOT: br i1
; CHECK: call void @quern.check.access({{.*}}, i64 8)
; CHECK-NEXT: %q = load
; CHECK: ret void
define spir_kernel void @anywhere(ptr addrspace(1) %p) {
  %q = load ptr addrspace(1), ptr addrspace(1) %p, align 8
  store i32 1, ptr addrspace(1) %q, align 4
  ret void
}

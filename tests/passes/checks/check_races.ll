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

; Where all that is written belongs to arguments, a read by a pointer out of memory is told where it lies in one of them.
; CHECK-LABEL: define void @list.item(
; CHECK: [[BEGIN:%.*]] = ptrtoint ptr addrspace(1) %out to i64
; CHECK: [[BYTES:%.*]] = load i64
; CHECK: %q = load ptr
; CHECK: [[END:%.*]] = add i64 {{%.*}}, 3
; CHECK-NEXT: [[ROOM:%.*]] = add i64 [[BYTES]], 3
; CHECK-NEXT: [[STEP:%.*]] = sub i64 [[END]], [[BEGIN]]
; CHECK-NEXT: [[INSIDE:%.*]] = icmp ult i64 [[STEP]], [[ROOM]]
; CHECK-NEXT: [[MEETS:%.*]] = or i1 false, [[INSIDE]]
; CHECK-NEXT: br i1 [[MEETS]], label %[[TELL:.*]], label %[[READ:.*]], !prof
; CHECK: [[TELL]]:
; CHECK: call void @quern.check.access({{.*}}, i64 0, i64 4)
; CHECK: [[READ]]:
; CHECK-NEXT: %x = load i32, ptr addrspace(1) %q
; CHECK: call void @quern.check.access({{.*}}, i64 4294967300)
; CHECK-NEXT: store i32 %x
; CHECK: ret void
define spir_kernel void @list(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %q = load ptr addrspace(1), ptr addrspace(1) %p, align 8
  %x = load i32, ptr addrspace(1) %q, align 4, !quern.checked !0
  store i32 %x, ptr addrspace(1) %out, align 4
  ret void
}
!0 = !{}

; Of local memory, only what the tokens of its bytes do not stand for: reads that are neither the work-item's own nor
; those of several, and the work-item's own number goes along.
; CHECK-LABEL: define void @tile.item(
; CHECK: %interval = alloca i32
; CHECK: [[TOKENS:%.*]] = load ptr addrspace(1)
; CHECK: %token.item = shl i32 {{.*}}, 2
; CHECK: %token.own = or i32 [[NOW:%.*]], %token.item
; CHECK: %token = load i32, ptr addrspace(1)
; CHECK: [[OTHERS:%.*]] = icmp ugt i32 {{%.*}}, 2
; CHECK: [[SEVERAL:%.*]] = or i32 [[NOW]], 3
; CHECK: [[NOTALL:%.*]] = icmp ne i32 %token, [[SEVERAL]]
; CHECK: [[NEWS:%.*]] = and i1 [[OTHERS]], [[NOTALL]]
; CHECK: br i1 [[NEWS]], label %[[TELL:.*]], label %[[READ:.*]], !prof
; CHECK: [[TELL]]:
; CHECK: [[OWN:%.*]] = zext i32 %token.own to i64
; CHECK: call void @quern.check.access({{.*}}, i64 [[OWN]], i64 17179869188)
; CHECK: [[READ]]:
; CHECK-NEXT: %x = load i32, ptr addrspace(3) %l
; A barrier of local memory begins an interval.
; CHECK: add i32 {{%.*}}, 16384
; CHECK: call void @quern.barrier(
; A byte is told in any case.
; CHECK-NOT: br i1
; CHECK: call void @quern.check.access({{.*}}, i64 21474836481)
; CHECK-NEXT: store i8
define spir_kernel void @tile(ptr addrspace(3) %l) {
  %x = load i32, ptr addrspace(3) %l, align 4
  call spir_func void @_Z7barrierj(i32 1)
  store i8 1, ptr addrspace(3) %l, align 1
  ret void
}

declare spir_func void @_Z7barrierj(i32)

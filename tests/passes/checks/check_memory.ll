; RUN: --passes=prepare-kernels,work-item-bodies,check-memory,lower-checks
; The size of a buffer is that of the launch; what is outside is told and not accessed.

; CHECK-LABEL: define void @k.item(
; CHECK: [[EXTENTS:%.*]] = load ptr addrspace(2), ptr {{.*}}, align 8, !invariant.load
; CHECK: [[BYTES:%.*]] = load i64, ptr addrspace(2) {{.*}}, align 8, !invariant.load
; CHECK: [[PLACE:%.*]] = getelementptr
; CHECK: %offset = sub i64
; CHECK: [[END:%.*]] = call i64 @llvm.usub.sat.i64(i64 [[BYTES]], i64 3)
; CHECK: %outside = icmp uge i64 %offset, [[END]]
; CHECK: %misaligned = icmp ne
; CHECK: br i1 %faulty, label %[[BAD:.*]], label %[[GOOD:.*]], !prof
; CHECK: [[BAD]]:
; CHECK: call void @quern_check_fault(i64 {{%.*}}, i64 ptrtoint (ptr @quern.check.site to i64), i64 %offset, i64 [[BYTES]], i64 0,
; CHECK: [[GOOD]]:
; CHECK: [[LOADED:%.*]] = load i32, ptr addrspace(1) [[PLACE]]
; CHECK: phi i32 [ 0, %[[BAD]] ], [ [[LOADED]], %[[GOOD]] ]
; A variable at a known place needs no check.
; CHECK: store i32 {{.*}}, ptr %v, align 4
; CHECK-NEXT: ret void
define spir_kernel void @k(ptr addrspace(1) %p, i64 %i) {
  %v = alloca i32, align 4
  %place = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %i
  %x = load i32, ptr addrspace(1) %place, align 4
  store i32 %x, ptr %v, align 4
  ret void
}
; An element that its array does not have is none of the structure's other members.
; CHECK-LABEL: define void @element.item(
; CHECK: [[OUTSIDE:%.*]] = icmp uge i64 %i, 2
; CHECK: br i1 [[OUTSIDE]],
; CHECK: call void @quern_check_fault(i64 {{%.*}}, i64 {{.*}}, i64 %i, i64 2, i64 0,
; Bytes are aligned anywhere.
; CHECK: [[BEHIND:%.*]] = icmp uge i64 %offset
; CHECK: br i1 [[BEHIND]],
; CHECK: load i8, ptr
define spir_kernel void @element(ptr addrspace(1) %p, i64 %i) {
  %s = alloca { i32, [2 x i8] }, align 4
  %letters = getelementptr inbounds { i32, [2 x i8] }, ptr %s, i32 0, i32 1
  %letter = getelementptr inbounds [2 x i8], ptr %letters, i64 0, i64 %i
  %x = load i8, ptr %letter, align 1
  store i8 %x, ptr addrspace(1) %p, align 1
  ret void
}

; What a pointer out of memory leads to is only asked where it is other memory than what was looked up last. Nothing is
; asked of one that could not be read.
; CHECK-LABEL: define void @list.item(
; CHECK: %q = load ptr addrspace(1), ptr addrspace(1) %p
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(1) %q to i64
; CHECK: [[STEP:%.*]] = sub i64 [[ADDRESS]], [[FIRST:%.*]]
; CHECK: %elsewhere = icmp uge i64 [[STEP]], [[LENGTH:%.*]]
; CHECK: br i1 %elsewhere, label %[[ASK:.*]], label %[[KNOWN:[0-9]+]], !prof
; CHECK: [[ASK]]:
; CHECK-NEXT: [[BEGIN:%.*]] = call i64 @quern_check_begin(i64 [[ADDRESS]])
; CHECK-NEXT: [[BYTES:%.*]] = call i64 @quern_check_bytes(i64 [[ADDRESS]])
; CHECK: [[KNOWN]]:
; CHECK-NEXT: phi i64 [ {{%.*}}, %{{.*}} ], [ [[BEGIN]], %[[ASK]] ]
; CHECK-NEXT: phi i64 [ {{%.*}}, %{{.*}} ], [ [[BYTES]], %[[ASK]] ]
; CHECK: [[READ:%.*]] = phi ptr addrspace(1) [ null, %{{.*}} ], [ %q, %[[KNOWN]] ]
; CHECK: %x = load i32, ptr addrspace(1) [[READ]]
; CHECK: ret void
define spir_kernel void @list(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %q = load ptr addrspace(1), ptr addrspace(1) %p, align 8, !quern.checked !0
  %x = load i32, ptr addrspace(1) %q, align 4, !quern.checked !0
  store i32 %x, ptr addrspace(1) %out, align 4
  ret void
}
!0 = !{}

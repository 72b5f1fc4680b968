; RUN: --passes=callee-frames
; Variables of functions that are called lie in their callers where they are large, in the end in the kernel. Of which pointers a
; function keeps none is said, so that the variables behind them need not live across barriers.

; CHECK-LABEL: define void @k(
; CHECK: %callee.frame = alloca [8256 x i8], align 128
; CHECK: %own = alloca [4 x i32]
; CHECK: call void @llvm.lifetime.start.p0(ptr %callee.frame)
; CHECK-NEXT: call void @outer(ptr %own, ptr %callee.frame)
; CHECK-NEXT: call void @llvm.lifetime.end.p0(ptr %callee.frame)
; CHECK: call void @small(ptr %own)
define void @k() "quern-kernel"="k" {
  %own = alloca [4 x i32]
  call void @outer(ptr %own)
  call void @small(ptr %own)
  ret void
}

; CHECK-LABEL: define internal void @outer(
; CHECK-SAME: ptr captures(none) %p, ptr noalias align 128 captures(none) dereferenceable(8256) %frame
; CHECK-NOT: alloca
; CHECK-DAG: %callee.frame = getelementptr inbounds i8, ptr %frame, i64 0
; CHECK-DAG: %few = getelementptr inbounds i8, ptr %frame, i64 8192
; CHECK: call void @inner(ptr %few, ptr %callee.frame)
define internal void @outer(ptr %p) {
  %few = alloca [16 x i32]
  call void @inner(ptr %few)
  call void @inner(ptr %p)
  ret void
}

; CHECK-LABEL: define internal void @inner(
; CHECK: %many = getelementptr inbounds i8, ptr %frame, i64 0
define internal void @inner(ptr %p) {
  %many = alloca [2048 x i32]
  call void @llvm.lifetime.start.p0(ptr %many)
  %first = load i32, ptr %many
  store i32 %first, ptr %p
  call void @llvm.lifetime.end.p0(ptr %many)
  ret void
}

; CHECK-LABEL: define internal void @small(ptr %p)
; CHECK: alloca [4 x ptr]
define internal void @small(ptr %p) {
  %kept = alloca [4 x ptr]
  store volatile ptr %p, ptr %kept
  ret void
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

; RUN: --steps=prepare-kernels,work-item-bodies
; Each work-item has its own copy of a struct argument.

%S = type { i32, [3 x i32] }

; CHECK-LABEL: define void @k.item(ptr noalias readonly align 4 dereferenceable(16) %s,
; CHECK: [[COPY:%.*]] = alloca %S, align 4
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 4 [[COPY]], ptr align 4 %s, i64 16, i1 false)
; CHECK: store i32 5, ptr [[COPY]]
define spir_kernel void @k(ptr byval(%S) align 4 %s) {
  store i32 5, ptr %s
  ret void
}

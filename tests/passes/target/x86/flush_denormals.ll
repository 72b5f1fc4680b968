; RUN: --passes=flushed-functions,function(flush-denormals)
; An entry of a program that may flush sets the processor's state and restores it.

; CHECK-LABEL: @entry(
; CHECK: call void @llvm.x86.sse.stmxcsr(ptr [[SAVED:%.*]])
; CHECK: [[STATE:%.*]] = load i32, ptr [[SAVED]]
; CHECK: or i32 [[STATE]], 32832
; CHECK: call void @llvm.x86.sse.ldmxcsr(
; CHECK: fmul float
; CHECK: call void @llvm.x86.sse.ldmxcsr(ptr {{.*}}[[SAVED]])
; CHECK-NEXT: ret void
define void @entry(ptr %p) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %x = load float, ptr %p
  %y = fmul float %x, %x
  store float %y, ptr %p
  ret void
}

; CHECK-LABEL: @other(
; CHECK-NOT: mxcsr
; CHECK: ret void
define void @other(ptr %p) {
  store i32 0, ptr %p
  ret void
}

; CHECK-NOT: denormal-fp-math

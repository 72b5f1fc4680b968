; RUN: --passes=nvptx-finish --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; The driver's compiler may unroll what LLVM has left alone, and kernels that may flush denormals do.

; CHECK-LABEL: define {{.*}}@flushes(
; CHECK-SAME: [[FLUSHES:#[0-9]+]]
; CHECK: br i1 {{.*}}, !llvm.loop [[LOOP:![0-9]+]]
; CHECK: attributes [[FLUSHES]] = {{.*}}"denormal-fp-math-f32"="preserve-sign,preserve-sign"
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[KEPT:![0-9]+]]}
; CHECK: [[KEPT]] = !{!"llvm.loop.mustprogress"}
define ptx_kernel void @flushes(ptr addrspace(1) %p, i32 %n) "quern-flush-denormals" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"llvm.loop.mustprogress"}

; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; A wish to unroll is kept where the result stays small, also in sum over a nest, and made moderate where it does not.

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: br i1 %i.more{{.*}} !llvm.loop [[SMALL:![0-9]+]]
; CHECK: br i1 %f.more{{.*}} !llvm.loop [[FEW:![0-9]+]]
; CHECK: br i1 %k.more{{.*}} !llvm.loop [[INNER:![0-9]+]]
; CHECK: br i1 %j.more{{.*}} !llvm.loop [[OUTER:![0-9]+]]
; CHECK-DAG: [[SMALL]] = distinct !{[[SMALL]], [[FULL:![0-9]+]]}
; CHECK-DAG: [[FULL]] = !{!"llvm.loop.unroll.full"}
; CHECK-DAG: [[FEW]] = distinct !{[[FEW]], [[MANY:![0-9]+]]}
; CHECK-DAG: [[MANY]] = !{!"llvm.loop.unroll.count", i32 1000000}
; CHECK-DAG: [[INNER]] = distinct !{[[INNER]], [[FULL]]}
; CHECK-DAG: [[OUTER]] = distinct !{[[OUTER]], [[EIGHT:![0-9]+]]}
; CHECK-DAG: [[EIGHT]] = !{!"llvm.loop.unroll.count", i32 8}
define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  br label %small

small:
  %i = phi i32 [ 0, %entry ], [ %i.next, %small ]
  store volatile i32 %i, ptr addrspace(1) %p
  %i.next = add i32 %i, 1
  %i.more = icmp ult i32 %i.next, 64
  br i1 %i.more, label %small, label %few, !llvm.loop !0

few:
  %f = phi i32 [ 0, %small ], [ %f.next, %few ]
  store volatile i32 %f, ptr addrspace(1) %p
  %f.next = add i32 %f, 1
  %f.more = icmp ult i32 %f.next, 10
  br i1 %f.more, label %few, label %outer, !llvm.loop !2

outer:
  %j = phi i32 [ 0, %few ], [ %j.next, %latch ]
  br label %inner

inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  store volatile i32 %k, ptr addrspace(1) %p
  %k.next = add i32 %k, 1
  %k.more = icmp ult i32 %k.next, 1000
  br i1 %k.more, label %inner, label %latch, !llvm.loop !4

latch:
  %j.next = add i32 %j, 1
  %j.more = icmp ult i32 %j.next, 10000
  br i1 %j.more, label %outer, label %done, !llvm.loop !5

done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.count", i32 1000000}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !1}

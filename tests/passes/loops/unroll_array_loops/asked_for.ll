; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(unroll-array-loops)
; Loops without arrays are unrolled when they ask for it, are short and have a number of iterations that is known.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @asks.item(
; CHECK-NOT: phi
; CHECK-COUNT-4: load volatile float
; CHECK-NOT: load volatile float
; CHECK: ret void
define spir_kernel void @asks(ptr addrspace(1) %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %done, !llvm.loop !0

done:
  ret void
}

; Not without a word.
; CHECK-LABEL: define {{.*}} @silent.item(
; CHECK: phi i32
; CHECK-COUNT-1: load volatile float
; CHECK-NOT: load volatile float
; CHECK: ret void
define spir_kernel void @silent(ptr addrspace(1) %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %done

done:
  ret void
}

; 65 iterations are too many: LLVM's passes shall not unroll it later, either.
; CHECK-LABEL: define {{.*}} @long.item(
; CHECK: phi i32
; CHECK-COUNT-1: load volatile float
; CHECK-NOT: load volatile float
; CHECK: br i1 {{.*}}, !llvm.loop [[LONG:![0-9]+]]
; CHECK: ret void
define spir_kernel void @long(ptr addrspace(1) %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 65
  br i1 %more, label %loop, label %done, !llvm.loop !2

done:
  ret void
}

; Where the number is not known, it may become so in a specialisation.
; CHECK-LABEL: define {{.*}} @unknown.item(
; CHECK: phi i32
; CHECK: br i1 {{.*}}, !llvm.loop [[UNKNOWN:![0-9]+]]
; CHECK: ret void
define spir_kernel void @unknown(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !4

done:
  ret void
}

; CHECK-DAG: [[LONG]] = distinct !{[[LONG]], [[DISABLED:![0-9]+]]}
; CHECK-DAG: [[DISABLED]] = !{!"llvm.loop.unroll.disable"}
; CHECK-DAG: [[UNKNOWN]] = distinct !{[[UNKNOWN]], [[FULL:![0-9]+]]}
; CHECK-DAG: [[FULL]] = !{!"llvm.loop.unroll.full"}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !1}
!4 = distinct !{!4, !1}

; RUN: --steps=optimize --target=x86_64;cpu=x86-64-v4
; Counters of a loop that are always the same number apart become one.

; CHECK-LABEL: define {{.*}} @four(
; CHECK: phi float
; CHECK-NEXT: phi i64
; CHECK-NOT: phi i64
; CHECK: ret float
define float @four(ptr %p, i64 %start, i64 %step, i64 %end) {
entry:
  %start1 = add i64 %start, 16
  %start2 = add i64 %start, 32
  %start3 = add i64 %start, 48
  br label %loop

loop:
  %i = phi i64 [ %start, %entry ], [ %next, %body ]
  %i1 = phi i64 [ %start1, %entry ], [ %next1, %body ]
  %i2 = phi i64 [ %start2, %entry ], [ %next2, %body ]
  %i3 = phi i64 [ %start3, %entry ], [ %next3, %body ]
  %sum = phi float [ 0.0, %entry ], [ %s3, %body ]
  %goes = icmp ult i64 %i, %end
  %goes1 = icmp ult i64 %i1, %end
  %goes2 = icmp ult i64 %i2, %end
  %goes3 = icmp ult i64 %i3, %end
  %g0 = and i1 %goes, %goes1
  %g1 = and i1 %g0, %goes2
  %g2 = and i1 %g1, %goes3
  br i1 %g2, label %body, label %exit

body:
  %a = getelementptr float, ptr %p, i64 %i
  %a1 = getelementptr float, ptr %p, i64 %i1
  %a2 = getelementptr float, ptr %p, i64 %i2
  %a3 = getelementptr float, ptr %p, i64 %i3
  %v = load float, ptr %a
  %v1 = load float, ptr %a1
  %v2 = load float, ptr %a2
  %v3 = load float, ptr %a3
  %s = fadd float %sum, %v
  %s1 = fadd float %s, %v1
  %s2 = fadd float %s1, %v2
  %s3 = fadd float %s2, %v3
  %next = add i64 %i, %step
  %next1 = add i64 %i1, %step
  %next2 = add i64 %i2, %step
  %next3 = add i64 %i3, %step
  br label %loop

exit:
  ret float %sum
}

; One whose distance or step is not known stays.
; CHECK-LABEL: define {{.*}} @apart(
; CHECK: phi i64
; CHECK: phi i64
; CHECK: phi i64
define float @apart(ptr %p, i64 %start, i64 %other, i64 %step, i64 %end) {
entry:
  br label %loop

loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %j = phi i64 [ %other, %entry ], [ %nextj, %loop ]
  %k = phi i64 [ %start, %entry ], [ %nextk, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %s2, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %b = getelementptr float, ptr %p, i64 %j
  %c = getelementptr float, ptr %p, i64 %k
  %v = load float, ptr %a
  %w = load float, ptr %b
  %x = load float, ptr %c
  %s = fadd float %sum, %v
  %s1 = fadd float %s, %w
  %s2 = fadd float %s1, %x
  %next = add i64 %i, %step
  %nextj = add i64 %j, %step
  %nextk = add i64 %k, %end
  %goes = icmp ult i64 %next, %end
  br i1 %goes, label %loop, label %exit

exit:
  ret float %s2
}

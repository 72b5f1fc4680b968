; RUN: --passes=wide-recurrences
; A number that a loop counts on is counted in 64 bits where it is an address, and where IndVarSimplifyPass would take from its beginning
; that it does not wrap.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: @walk(
; CHECK: [[ROW:%.+]] = mul i64 {{%.+}}, {{%.+}}
; CHECK: [[START:%.+]] = add i64 [[ROW]], {{%.+}}
; CHECK: [[WIDE:%.+]] = phi i64 [ [[START]], %entry ], [ [[NEXT:%.+]], %loop ]
; CHECK: getelementptr float, ptr addrspace(1) %in, i64 [[WIDE]]
; CHECK: [[STEP:%.+]] = sext i32 %pitch to i64
; CHECK: [[NEXT]] = add nsw i64 [[WIDE]], [[STEP]]
define void @walk(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %x, i32 %y, i32 %pitch, i32 %n) {
entry:
  %row = mul nsw i32 %y, %pitch
  %start = add nsw i32 %row, %x
  br label %loop
loop:
  %p = phi i32 [ %start, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %index = sext i32 %p to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %from
  store float %v, ptr addrspace(1) %out
  %next = add nsw i32 %p, %pitch
  %i.next = add nsw i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Backwards, with an index after the step.
; CHECK-LABEL: @back(
; CHECK: [[WIDE:%.+]] = phi i64
; CHECK: [[NEXT:%.+]] = sub nsw i64 [[WIDE]], 4
; CHECK: getelementptr float, ptr addrspace(1) %in, i64 [[NEXT]]
define void @back(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %x, i32 %y, i32 %n) {
entry:
  %start = sub nsw i32 %x, %y
  br label %loop
loop:
  %p = phi i32 [ %start, %entry ], [ %next, %loop ]
  %next = sub nsw i32 %p, 4
  %index = zext nneg i32 %next to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %from
  store float %v, ptr addrspace(1) %out
  %again = icmp sgt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; What may wrap, in its course or its beginning, stays as it is; so does what is no address.
; CHECK-LABEL: @wraps(
; CHECK-NOT: phi i64
; CHECK: ret void
define void @wraps(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %x, i32 %y, i32 %pitch, i32 %n) {
entry:
  %start = add nsw i32 %y, %x
  %other = add i32 %y, %x
  br label %loop
loop:
  %p = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = phi i32 [ %other, %entry ], [ %q.next, %loop ]
  %r = phi i32 [ %start, %entry ], [ %r.next, %loop ]
  %index = sext i32 %p to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %index
  %index.q = sext i32 %q to i64
  %from.q = getelementptr float, ptr addrspace(1) %from, i64 %index.q
  %v = load float, ptr addrspace(1) %from.q
  store float %v, ptr addrspace(1) %out
  %next = add i32 %p, %pitch
  %q.next = add nsw i32 %q, %pitch
  %r.next = add nsw i32 %r, 1
  %again = icmp slt i32 %r.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

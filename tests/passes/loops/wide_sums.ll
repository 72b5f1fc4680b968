; RUN: --passes=wide-sums
; An index is summed up in 64 bits where what is added is a constant or the same in all iterations.

; CHECK-LABEL: @neighbours(
; CHECK: body:
; CHECK: [[I:%.*]] = sext i32 %i to i64
; CHECK: [[BEFORE:%.*]] = add nsw i64 [[I]], -1
; CHECK: [[ROW:%.*]] = sext i32 %row to i64
; CHECK: [[INDEX:%.*]] = add nsw i64 [[ROW]], [[BEFORE]]
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 [[INDEX]]
; CHECK: [[TO:%.*]] = sub nsw i64 %{{.*}}, %{{.*}}
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 [[TO]]
define void @neighbours(ptr addrspace(1) %a, i32 %y, i32 %pitch, i32 %n) {
entry:
  br label %body

body:
  %i = phi i32 [ 1, %entry ], [ %next, %body ]
  %row = mul nsw i32 %y, %pitch
  %before = add nsw i32 %i, -1
  %at = add nsw i32 %row, %before
  %index = sext i32 %at to i64
  %from = getelementptr float, ptr addrspace(1) %a, i64 %index
  %value = load float, ptr addrspace(1) %from
  %at.to = sub nsw i32 %row, %i
  %index.to = zext nneg i32 %at.to to i64
  %to = getelementptr float, ptr addrspace(1) %a, i64 %index.to
  store float %value, ptr addrspace(1) %to
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done

done:
  ret void
}

; Nothing is said of sums that may wrap, nor gained where both parts change.
; CHECK-LABEL: @others(
; CHECK: sext i32 %wraps to i64
; CHECK: sext i32 %twice to i64
define void @others(ptr addrspace(1) %a, i32 %row, i32 %n) {
entry:
  br label %body

body:
  %i = phi i32 [ 1, %entry ], [ %next, %body ]
  %j = phi i32 [ 1, %entry ], [ %j.next, %body ]
  %wraps = add i32 %row, %i
  %index = sext i32 %wraps to i64
  %from = getelementptr float, ptr addrspace(1) %a, i64 %index
  %value = load float, ptr addrspace(1) %from
  %twice = add nsw i32 %i, %j
  %index.to = sext i32 %twice to i64
  %to = getelementptr float, ptr addrspace(1) %a, i64 %index.to
  store float %value, ptr addrspace(1) %to
  %next = add nsw i32 %i, 1
  %j.next = mul i32 %j, 3
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done

done:
  ret void
}

; Outside of loops it takes one conversion more.
; CHECK-LABEL: @once(
; CHECK: sext i32 %at to i64
define i64 @once(i32 %row, i32 %i) {
  %at = add nsw i32 %row, %i
  %index = sext i32 %at to i64
  ret i64 %index
}

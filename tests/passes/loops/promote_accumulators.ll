; RUN: --passes=function(loop-simplify,lcssa,promote-accumulators)
; What a loop reads and writes at one address stays in a register while it runs, if nothing else in it may be the same memory.

; The loop may end before its first iteration: the store follows only where there was one.
; CHECK-LABEL: define void @sums(
; CHECK: [[ADDRESS:%.*]] = getelementptr float, ptr %out, i64 %id
; CHECK: [[ANY:%.*]] = icmp slt i32 0, %n
; CHECK: br i1 [[ANY]], label %[[BEFORE:.*]], label %done
; CHECK: {{^}}[[BEFORE]]:
; CHECK: load float, ptr [[ADDRESS]]
; CHECK: {{^}}body:
; CHECK: [[SUM:%.*]] = phi float
; CHECK-NOT: store
; CHECK: fadd float [[SUM]],
; CHECK-NOT: store
; CHECK: br i1
; CHECK: store float {{%.*}}, ptr [[ADDRESS]]
; CHECK: {{^}}done:
; CHECK-NOT: store
; CHECK: ret void
define void @sums(ptr noalias %out, ptr noalias %in, i64 %id, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done
body:
  %at = getelementptr float, ptr %in, i32 %i
  %value = load float, ptr %at
  %address = getelementptr float, ptr %out, i64 %id
  %sum = load float, ptr %address
  %larger = fadd float %sum, %value
  store float %larger, ptr %address
  %next = add i32 %i, 1
  br label %head
done:
  ret void
}

; CHECK-LABEL: define void @may_alias(
; CHECK: {{^}}body:
; CHECK: store float
; CHECK: br label %head
define void @may_alias(ptr %out, ptr %in, i64 %id, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done
body:
  %at = getelementptr float, ptr %in, i32 %i
  %value = load float, ptr %at
  %address = getelementptr float, ptr %out, i64 %id
  %sum = load float, ptr %address
  %larger = fadd float %sum, %value
  store float %larger, ptr %address
  %next = add i32 %i, 1
  br label %head
done:
  ret void
}

; A store that not every iteration makes could be one too many.
; CHECK-LABEL: define void @sometimes(
; CHECK: {{^}}write:
; CHECK-NEXT: store float
define void @sometimes(ptr noalias %out, ptr noalias %in, i64 %id, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr float, ptr %in, i32 %i
  %value = load float, ptr %at
  %address = getelementptr float, ptr %out, i64 %id
  %isLarge = fcmp ogt float %value, 1.0
  br i1 %isLarge, label %write, label %latch
write:
  store float %value, ptr %address
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; An address that each iteration has for itself, and accesses that others may see.
; CHECK-LABEL: define void @own_address(
; CHECK: {{^}}loop:
; CHECK: store float
; CHECK: br i1
define void @own_address(ptr noalias %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %out, i32 %i
  store float 1.0, ptr %at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define void @seen_by_others(
; CHECK: {{^}}loop:
; CHECK: store volatile i32
; CHECK: store atomic i32
; CHECK: br i1
define void @seen_by_others(ptr noalias %flag, ptr noalias %count, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %flag
  store atomic i32 %i, ptr %count release, align 4
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; What a loop inside writes leaves that loop through a phi.
; CHECK-LABEL: define void @inner_loop(
; CHECK: {{^}}end.of.outer:
; CHECK-NEXT: [[WRITTEN:%.*]] = phi i32 [ {{%.*}}, %end.of.inner ]
; CHECK-NEXT: add i32 [[WRITTEN]], 1
define void @inner_loop(ptr noalias %out, ptr noalias %in, i32 %n) {
entry:
  br label %outer
outer:
  %o = phi i32 [ 0, %entry ], [ %o.next, %end.of.outer ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %i.next, %end.of.inner ]
  %at = getelementptr i32, ptr %in, i32 %i
  %value = load i32, ptr %at
  %is.more = icmp sgt i32 %value, 0
  br i1 %is.more, label %write, label %end.of.inner
write:
  store i32 %value, ptr %out
  br label %end.of.inner
end.of.inner:
  %i.next = add i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %inner, label %end.of.outer
end.of.outer:
  %written = load i32, ptr %out
  %larger = add i32 %written, 1
  store i32 %larger, ptr %out
  %o.next = add i32 %o, 1
  %more = icmp slt i32 %o.next, %n
  br i1 %more, label %outer, label %done
done:
  ret void
}

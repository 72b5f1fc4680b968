; RUN: --passes=constant-offsets
; Addresses at a constant distance from another are computed where they are used, once for each block.

declare void @use(ptr)

; CHECK-LABEL: define {{.*}} @loop(
; CHECK: entry:
; CHECK-NOT: getelementptr
; CHECK: work:
; CHECK-NEXT: %item = phi i64
; CHECK-NEXT: %third{{.*}} = getelementptr inbounds i8, ptr %variable, i64 3
; CHECK-NEXT: store i8 1, ptr %third
; CHECK-NEXT: call void @use(ptr %third
; CHECK: more:
; CHECK-NEXT: %third{{.*}} = getelementptr inbounds i8, ptr %variable, i64 3
; CHECK-NEXT: call void @use(ptr %third
define void @loop(i64 %items, i1 %condition) {
entry:
  %variable = alloca [16 x i8]
  %third = getelementptr inbounds i8, ptr %variable, i64 3
  br label %work
work:
  %item = phi i64 [ 0, %entry ], [ %next, %latch ]
  store i8 1, ptr %third
  call void @use(ptr %third)
  br i1 %condition, label %more, label %latch
more:
  call void @use(ptr %third)
  br label %latch
latch:
  %next = add nuw i64 %item, 1
  %end = icmp eq i64 %next, %items
  br i1 %end, label %exit, label %work
exit:
  ret void
}

; One that a phi takes is computed where it comes from. Others stay: in the block of their use, with an index that is not known, and
; further away than instructions have room for.
; CHECK-LABEL: define {{.*}} @others(
; CHECK: %own = getelementptr inbounds i8, ptr %variable, i64 1
; CHECK-NEXT: store i8 1, ptr %own
; CHECK-NEXT: %unknown = getelementptr inbounds i8, ptr %variable, i64 %index
; CHECK-NEXT: %far = getelementptr inbounds i8, ptr %pointer, i64 2147483648
; CHECK-NEXT: br
; CHECK: left:
; CHECK-NEXT: %second{{.*}} = getelementptr inbounds i8, ptr %pointer, i64 2
; CHECK-NEXT: br
; CHECK: join:
; CHECK-NEXT: %any = phi ptr [ %second{{.*}}, %left ], [ %pointer, %right ]
; CHECK-NEXT: call void @use(ptr %any)
; CHECK-NEXT: call void @use(ptr %unknown)
; CHECK-NEXT: call void @use(ptr %far)
define void @others(ptr %pointer, i64 %index, i1 %condition) {
  %variable = alloca [16 x i8]
  %own = getelementptr inbounds i8, ptr %variable, i64 1
  store i8 1, ptr %own
  %unknown = getelementptr inbounds i8, ptr %variable, i64 %index
  %far = getelementptr inbounds i8, ptr %pointer, i64 2147483648
  %second = getelementptr inbounds i8, ptr %pointer, i64 2
  br i1 %condition, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %any = phi ptr [ %second, %left ], [ %pointer, %right ]
  call void @use(ptr %any)
  call void @use(ptr %unknown)
  call void @use(ptr %far)
  ret void
}

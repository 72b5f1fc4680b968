; RUN: --passes=prepare-kernels,work-item-bodies,function(sub-group-loops,isolate-barriers)
; Work-items that diverge within an iteration of a loop meet at its end. Where one place to meet is passed in every iteration, that is
; enough; and where paths never diverge nothing is added.

declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func void @_Z17sub_group_barrierj(i32)

; CHECK-LABEL: define void @parts.item(
; CHECK: call void @quern.sub_group_barrier(i32 1, i32 4)
; CHECK: call void @quern.sub_group_barrier(i32 0, i32 4)
; CHECK-NOT: quern.sub_group_barrier
; CHECK-LABEL: define void @meets.item(
; CHECK: call void @quern.sub_group_barrier(i32 2, i32 4)
; CHECK-NOT: quern.sub_group_barrier
; CHECK-LABEL: define void @together.item(
; CHECK: call void @quern.sub_group_barrier(i32 3, i32 4)
; CHECK-NOT: quern.sub_group_barrier(
; CHECK: declare void @quern.sub_group_barrier
define spir_kernel void @parts(i32 %n) {
entry:
  %id = call spir_func i32 @_Z22get_sub_group_local_idv()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = icmp eq i32 %id, %i
  br i1 %c, label %some, label %latch
some:
  call spir_func void @_Z17sub_group_barrierj(i32 1)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

define spir_kernel void @meets() {
entry:
  %id = call spir_func i32 @_Z22get_sub_group_local_idv()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call spir_func void @_Z17sub_group_barrierj(i32 2)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %id
  br i1 %more, label %loop, label %out
out:
  ret void
}

define spir_kernel void @together(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = icmp eq i32 %i, 5
  br i1 %c, label %some, label %latch
some:
  call spir_func void @_Z17sub_group_barrierj(i32 3)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

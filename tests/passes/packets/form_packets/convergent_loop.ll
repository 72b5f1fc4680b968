; RUN: --target=x86_64;cpu=x86-64;packets=2 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A loop that only some work-items enter, but which those leave together, keeps its branches: whether anyone is there is
; tested once, and what leaves it is kept for those that are not there. A divergent branch in it is no reason to leave it,
; or to count masks in each iteration.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @sums.region.0.packet(
; CHECK: {{^}}loop:
; CHECK-NEXT: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v2i1(<2 x i1> [[MASK:%.*]])
; CHECK-NEXT: br i1 [[ANY]], label %loop.iteration, label %loop.left
; CHECK: {{^}}done.loopexit:
; CHECK: select <2 x i1> %done.loopexit.mask.0, <2 x i64> %spec.select.lcssa.0
; CHECK: {{^}}loop.iteration:
; CHECK: %sum.0 = phi <2 x i64>
; CHECK-NOT: vector.reduce.or
; CHECK: [[ADDED:%.*]] = select <2 x i1> {{.*}}, <2 x i64> {{.*}}, <2 x i64> %sum.0
; CHECK-NOT: vector.reduce.or
; CHECK: br i1 %exitcond, label %[[REPEAT:.*]], label %[[LEAVE:.*]]
; CHECK: {{^}}loop.left:
; CHECK-NEXT: %spec.select.lcssa.0 = phi <2 x i64> [ [[RESULT:%.*]], %[[LEAVE]] ], [ poison, %loop ]
; CHECK: [[REPEAT]]:
; CHECK-NEXT: br label %loop.iteration
; CHECK: [[LEAVE]]:
; CHECK-NEXT: [[RESULT]] = select <2 x i1> [[MASK]], <2 x i64> [[ADDED]], <2 x i64> poison
define spir_kernel void @sums(ptr addrspace(1) %data, i64 %n, i64 %limit) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %gid
  %v = load i64, ptr addrspace(1) %p
  %bit = and i64 %v, 1
  %odd = icmp eq i64 %bit, 1
  br i1 %odd, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi i64 [ %v, %entry ], [ %added, %next ]
  %below = icmp ult i64 %sum, %limit
  br i1 %below, label %add, label %next

add:
  %once = mul i64 %sum, %i
  br label %next

next:
  %added = phi i64 [ %sum, %loop ], [ %once, %add ]
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %result = phi i64 [ %v, %entry ], [ %added, %next ]
  store i64 %result, ptr addrspace(1) %p
  ret void
}

; Where work-items may leave a loop in different iterations, masks are counted in each of them, but not in a loop in it
; that they leave together.
; CHECK-LABEL: define {{.*}} @leaves.region.0.packet(
; CHECK: {{^}}inner:
; CHECK-NEXT: call i1 @llvm.vector.reduce.or.v2i1(
; CHECK: {{^}}latch.any:
; CHECK: {{^}}inner.iteration:
; CHECK-NOT: vector.reduce.or
; CHECK: br i1 %exitcond
define spir_kernel void @leaves(ptr addrspace(1) %data, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %gid
  %v = load i64, ptr addrspace(1) %p
  br label %outer

outer:
  %x = phi i64 [ %v, %entry ], [ %halved, %latch ]
  %q = udiv i64 %x, 3
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %y = phi i64 [ %q, %outer ], [ %squared, %inner ]
  %squared = mul i64 %y, %y
  %j.next = add i64 %j, 1
  %inner.more = icmp ult i64 %j.next, %n
  br i1 %inner.more, label %inner, label %latch

latch:
  %halved = udiv i64 %squared, 3
  %again = icmp ne i64 %halved, 0
  br i1 %again, label %outer, label %done

done:
  store i64 %halved, ptr addrspace(1) %p
  ret void
}

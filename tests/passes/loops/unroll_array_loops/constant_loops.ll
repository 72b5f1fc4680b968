; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(unroll-array-loops)
; Where the indices of a private array depend on the counters of short loops only, its elements become values.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)

; A nest of 4 x 4 iterations, and a third loop that reads the array.
; CHECK-LABEL: define {{.*}} @nest.item(
; CHECK-NOT: alloca
; CHECK-NOT: phi
; CHECK-COUNT-16: fadd float
; CHECK: ret void
define spir_kernel void @nest(ptr addrspace(1) %p, float %x) {
entry:
  %sums = alloca [4 x [4 x float]]
  call void @llvm.memset.p0.i64(ptr %sums, i8 0, i64 64, i1 false)
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %q = getelementptr [4 x [4 x float]], ptr %sums, i32 0, i32 %i, i32 %j
  %old = load float, ptr %q
  %pi = getelementptr float, ptr addrspace(1) %p, i32 %j
  %v = load volatile float, ptr addrspace(1) %pi
  %sum = fadd float %v, %x
  %new = fmul float %sum, %old
  store float %new, ptr %q
  %j.next = add nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, 4
  br i1 %j.more, label %inner, label %outer.latch

outer.latch:
  %i.next = add nsw i32 %i, 1
  %i.more = icmp ult i32 %i.next, 4
  br i1 %i.more, label %outer, label %store

store:
  %k = phi i64 [ 0, %outer.latch ], [ %k.next, %store ]
  %from = getelementptr float, ptr %sums, i64 %k
  %r = load float, ptr %from
  %to = getelementptr float, ptr addrspace(1) %p, i64 %k
  store volatile float %r, ptr addrspace(1) %to
  %k.next = add nuw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 16
  br i1 %k.more, label %store, label %done

done:
  ret void
}

; An index from elsewhere keeps the array, and so the loop.
; CHECK-LABEL: define {{.*}} @table.item(
; CHECK: alloca [8 x i32]
; CHECK: loop:
; CHECK: br i1 %more, label %loop
define spir_kernel void @table(ptr addrspace(1) %p, i32 %n) {
entry:
  %array = alloca [8 x i32]
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = getelementptr [8 x i32], ptr %array, i32 0, i32 %i
  store i32 %i, ptr %q
  %i.next = add nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 8
  br i1 %more, label %loop, label %done

done:
  %any = getelementptr [8 x i32], ptr %array, i32 0, i32 %n
  %v = load i32, ptr %any
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; A loop with a barrier stays one.
; CHECK-LABEL: define {{.*}} @meeting.item(
; CHECK: alloca [8 x i32]
; CHECK: call void @quern.barrier
; CHECK-NOT: call void @quern.barrier
; CHECK: ret void
define spir_kernel void @meeting(ptr addrspace(1) %p) {
entry:
  %array = alloca [8 x i32]
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = getelementptr [8 x i32], ptr %array, i32 0, i32 %i
  store i32 %i, ptr %q
  call spir_func void @_Z7barrierj(i32 1) convergent
  %v = load volatile i32, ptr %q
  store volatile i32 %v, ptr addrspace(1) %p
  %i.next = add nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 8
  br i1 %more, label %loop, label %done

done:
  ret void
}

; 100 iterations are too many.
; CHECK-LABEL: define {{.*}} @long.item(
; CHECK: alloca [100 x i32]
; CHECK: br i1 %more, label %loop
define spir_kernel void @long(ptr addrspace(1) %p) {
entry:
  %array = alloca [100 x i32]
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %pi = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load volatile i32, ptr addrspace(1) %pi
  %q = getelementptr [100 x i32], ptr %array, i32 0, i32 %i
  store i32 %v, ptr %q
  %i.next = add nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 100
  br i1 %more, label %loop, label %done

done:
  %last = getelementptr [100 x i32], ptr %array, i32 0, i32 99
  %v.last = load i32, ptr %last
  store i32 %v.last, ptr addrspace(1) %p
  ret void
}

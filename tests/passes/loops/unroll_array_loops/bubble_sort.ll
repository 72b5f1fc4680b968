; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(unroll-array-loops)
; How often the inner loop runs is what the outer one counts: once that is unrolled, the inner loops are constant, too. Where it depends
; on data how often one runs, both stay.

; CHECK-LABEL: define {{.*}} @sort.item(
; CHECK-NOT: alloca
; CHECK-NOT: phi
; CHECK-COUNT-7: call i32 @llvm.sm{{in|ax}}.i32(
; CHECK: ret void
define spir_kernel void @sort(ptr addrspace(1) %p) {
entry:
  %v = alloca [4 x i32]
  br label %read

read:
  %k = phi i32 [ 0, %entry ], [ %k.next, %read ]
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %k
  %x = load i32, ptr addrspace(1) %from
  %to = getelementptr [4 x i32], ptr %v, i32 0, i32 %k
  store i32 %x, ptr %to
  %k.next = add nsw i32 %k, 1
  %k.more = icmp ne i32 %k.next, 4
  br i1 %k.more, label %read, label %outer

outer:
  %i = phi i32 [ 3, %read ], [ %i.next, %outer.latch ]
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add nsw i32 %j, 1
  %pa = getelementptr [4 x i32], ptr %v, i32 0, i32 %j
  %pb = getelementptr [4 x i32], ptr %v, i32 0, i32 %j.next
  %a = load i32, ptr %pa
  %b = load i32, ptr %pb
  %less = icmp slt i32 %a, %b
  %min = select i1 %less, i32 %a, i32 %b
  %max = select i1 %less, i32 %b, i32 %a
  store i32 %min, ptr %pa
  store i32 %max, ptr %pb
  %j.more = icmp ne i32 %j.next, %i
  br i1 %j.more, label %inner, label %outer.latch

outer.latch:
  %i.next = add nsw i32 %i, -1
  %i.more = icmp ne i32 %i.next, 0
  br i1 %i.more, label %outer, label %done

done:
  %pm = getelementptr [4 x i32], ptr %v, i32 0, i32 2
  %m = load i32, ptr %pm
  store i32 %m, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}} @some.item(
; CHECK: alloca [4 x i32]
; CHECK: phi i32
; CHECK: phi i32
define spir_kernel void @some(ptr addrspace(1) %p, i32 %n) {
entry:
  %v = alloca [4 x i32]
  call void @llvm.memset.p0.i64(ptr %v, i8 0, i64 16, i1 false)
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %limit.place = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %limit = load i32, ptr addrspace(1) %limit.place
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %pa = getelementptr [4 x i32], ptr %v, i32 0, i32 %j
  %a = load i32, ptr %pa
  %b = add i32 %a, %j
  store i32 %b, ptr %pa
  %j.next = add nsw i32 %j, 1
  %j.more = icmp slt i32 %j.next, %limit
  br i1 %j.more, label %inner, label %outer.latch

outer.latch:
  %i.next = add nsw i32 %i, 1
  %i.more = icmp ne i32 %i.next, 3
  br i1 %i.more, label %outer, label %done

done:
  %r = load i32, ptr %v
  store i32 %r, ptr addrspace(1) %p
  ret void
}

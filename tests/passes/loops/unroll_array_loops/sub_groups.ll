; RUN: --target=x86_64;cpu=x86-64-v3;sub-group=8 --steps=prepare-kernels,work-item-bodies,clean-up,sub-groups,unroll-array-loops
; Work-items of a sub-group that is a packet are together anyway: a loop in which they meet may be unrolled. In the general form, where
; regions end at their meetings, it stays a loop.

declare spir_func i32 @__quern_sub_group_int_int_uint(ptr addrspace(4), i32, i32)

; CHECK-LABEL: define void @k.item(
; CHECK: alloca [4 x i32]
; CHECK-COUNT-1: call void @quern.collective.sub_group(
; CHECK-NOT: call void @quern.collective.sub_group(

; CHECK-LABEL: define void @k.item.sub_groups(
; CHECK-NOT: alloca [4 x i32]
; CHECK-COUNT-4: call i32 @__quern_sub_group_int_int_uint(
; CHECK-NOT: call i32 @__quern_sub_group_int_int_uint(
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %sums = alloca [4 x i32]
  call void @llvm.memset.p0.i64(ptr %sums, i8 0, i64 16, i1 false)
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %outer.end ]
  %x = load volatile i32, ptr addrspace(1) %p
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %i.next, %inner ]
  %y = call spir_func i32 @__quern_sub_group_int_int_uint(ptr addrspace(4) addrspacecast (ptr @pick_int to ptr addrspace(4)), i32 %x, i32 %i)
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr %sums, i64 %wide
  %old = load i32, ptr %place
  %new = add i32 %old, %y
  store i32 %new, ptr %place
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %inner, label %outer.end
outer.end:
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %outer, label %exit
exit:
  %a = load i32, ptr %sums
  store i32 %a, ptr addrspace(1) %p
  ret void
}

define internal spir_func void @pick_int(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i32 0, ptr %results
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

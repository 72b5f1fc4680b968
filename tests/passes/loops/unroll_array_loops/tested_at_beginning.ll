; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(unroll-array-loops)
; Loops that test at their beginning whether to go on do so once more than they run: a nest of 8 x 8 has 64 iterations. What follows
; the last test is gone before the array is looked at.

; CHECK-LABEL: define {{.*}} @nest.item(
; CHECK-NOT: alloca
; CHECK-NOT: phi
; CHECK-COUNT-64: load volatile float
; CHECK-NOT: load volatile float
; CHECK: ret void
define spir_kernel void @nest(ptr addrspace(1) %p) {
entry:
  %sums = alloca [8 x [8 x float]]
  call void @llvm.memset.p0.i64(ptr %sums, i8 0, i64 256, i1 false)
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %i.more = icmp slt i32 %i, 8
  br i1 %i.more, label %inner, label %store

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %body ]
  %j.more = icmp slt i32 %j, 8
  br i1 %j.more, label %body, label %outer.latch

body:
  %q = getelementptr [8 x [8 x float]], ptr %sums, i32 0, i32 %i, i32 %j
  %old = load float, ptr %q
  %v = load volatile float, ptr addrspace(1) %p
  %new = fadd float %old, %v
  store float %new, ptr %q
  %j.next = add nsw i32 %j, 1
  br label %inner

outer.latch:
  %i.next = add nsw i32 %i, 1
  br label %outer

store:
  %last = getelementptr [8 x [8 x float]], ptr %sums, i32 0, i32 7, i32 7
  %r = load float, ptr %last
  store float %r, ptr addrspace(1) %p
  ret void
}

; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(unroll-array-loops)
; However many loops a function has, all that index the array are unrolled: six of three iterations each.

; CHECK-LABEL: define {{.*}} @six.item(
; CHECK-NOT: alloca
; CHECK-NOT: phi
; CHECK-COUNT-18: load volatile float
; CHECK-NOT: load volatile float
; CHECK: ret void
define spir_kernel void @six(ptr addrspace(1) %p) {
entry:
  %sums = alloca [3 x float]
  call void @llvm.memset.p0.i64(ptr %sums, i8 0, i64 12, i1 false)
  br label %loop.0

loop.0:
  %i.0 = phi i32 [ 0, %entry ], [ %next.0, %loop.0 ]
  %q.0 = getelementptr [3 x float], ptr %sums, i32 0, i32 %i.0
  %old.0 = load float, ptr %q.0
  %v.0 = load volatile float, ptr addrspace(1) %p
  %new.0 = fadd float %old.0, %v.0
  store float %new.0, ptr %q.0
  %next.0 = add nsw i32 %i.0, 1
  %more.0 = icmp slt i32 %next.0, 3
  br i1 %more.0, label %loop.0, label %loop.1

loop.1:
  %i.1 = phi i32 [ 0, %loop.0 ], [ %next.1, %loop.1 ]
  %q.1 = getelementptr [3 x float], ptr %sums, i32 0, i32 %i.1
  %old.1 = load float, ptr %q.1
  %v.1 = load volatile float, ptr addrspace(1) %p
  %new.1 = fadd float %old.1, %v.1
  store float %new.1, ptr %q.1
  %next.1 = add nsw i32 %i.1, 1
  %more.1 = icmp slt i32 %next.1, 3
  br i1 %more.1, label %loop.1, label %loop.2

loop.2:
  %i.2 = phi i32 [ 0, %loop.1 ], [ %next.2, %loop.2 ]
  %q.2 = getelementptr [3 x float], ptr %sums, i32 0, i32 %i.2
  %old.2 = load float, ptr %q.2
  %v.2 = load volatile float, ptr addrspace(1) %p
  %new.2 = fadd float %old.2, %v.2
  store float %new.2, ptr %q.2
  %next.2 = add nsw i32 %i.2, 1
  %more.2 = icmp slt i32 %next.2, 3
  br i1 %more.2, label %loop.2, label %loop.3

loop.3:
  %i.3 = phi i32 [ 0, %loop.2 ], [ %next.3, %loop.3 ]
  %q.3 = getelementptr [3 x float], ptr %sums, i32 0, i32 %i.3
  %old.3 = load float, ptr %q.3
  %v.3 = load volatile float, ptr addrspace(1) %p
  %new.3 = fadd float %old.3, %v.3
  store float %new.3, ptr %q.3
  %next.3 = add nsw i32 %i.3, 1
  %more.3 = icmp slt i32 %next.3, 3
  br i1 %more.3, label %loop.3, label %loop.4

loop.4:
  %i.4 = phi i32 [ 0, %loop.3 ], [ %next.4, %loop.4 ]
  %q.4 = getelementptr [3 x float], ptr %sums, i32 0, i32 %i.4
  %old.4 = load float, ptr %q.4
  %v.4 = load volatile float, ptr addrspace(1) %p
  %new.4 = fadd float %old.4, %v.4
  store float %new.4, ptr %q.4
  %next.4 = add nsw i32 %i.4, 1
  %more.4 = icmp slt i32 %next.4, 3
  br i1 %more.4, label %loop.4, label %loop.5

loop.5:
  %i.5 = phi i32 [ 0, %loop.4 ], [ %next.5, %loop.5 ]
  %q.5 = getelementptr [3 x float], ptr %sums, i32 0, i32 %i.5
  %old.5 = load float, ptr %q.5
  %v.5 = load volatile float, ptr addrspace(1) %p
  %new.5 = fadd float %old.5, %v.5
  store float %new.5, ptr %q.5
  %next.5 = add nsw i32 %i.5, 1
  %more.5 = icmp slt i32 %next.5, 3
  br i1 %more.5, label %loop.5, label %end

end:
  %last = getelementptr [3 x float], ptr %sums, i32 0, i32 1
  %r = load float, ptr %last
  store float %r, ptr addrspace(1) %p
  ret void
}

; RUN: --passes=function(loop-simplify,lcssa,loop(indvars,nvptx-eager-unrolling),loop-unroll) --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; Four iterations of a loop become one where their number is known before the first, but not where work-items meet in it.

; CHECK-LABEL: define {{.*}}@counted(
; CHECK-COUNT-8: load float
; CHECK: br i1
; CHECK-LABEL: define {{.*}}@with_barrier(
; CHECK-COUNT-1: @llvm.nvvm.barrier.cta.sync.aligned.all
; CHECK-NOT: @llvm.nvvm.barrier
; CHECK: ret void
define ptx_kernel void @counted(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %longer, %loop ]
  %index = zext i32 %i to i64
  %ap = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %bp = getelementptr inbounds float, ptr addrspace(1) %b, i64 %index
  %x = load float, ptr addrspace(1) %ap
  %y = load float, ptr addrspace(1) %bp
  %d = fsub float %x, %y
  %square = fmul float %d, %d
  %root = call float @llvm.sqrt.f32(float %square)
  %small = fadd float %root, 1.0
  %quotient = fdiv float %x, %small
  %product = fmul float %quotient, %y
  %other = fadd float %product, %square
  %third = fmul float %other, %root
  %longer = fadd float %sum, %third
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %result = phi float [ 0.0, %entry ], [ %longer, %loop ]
  store float %result, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @with_barrier(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %longer, %loop ]
  %index = zext i32 %i to i64
  %ap = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %x = load volatile float, ptr addrspace(1) %ap
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = fsub float %x, %sum
  %square = fmul float %d, %d
  %root = call float @llvm.sqrt.f32(float %square)
  %small = fadd float %root, 1.0
  %quotient = fdiv float %x, %small
  %product = fmul float %quotient, %x
  %other = fadd float %product, %square
  %third = fmul float %other, %root
  %longer = fadd float %sum, %third
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %result = phi float [ 0.0, %entry ], [ %longer, %loop ]
  store float %result, ptr addrspace(1) %out
  ret void
}

declare float @llvm.sqrt.f32(float)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent nounwind

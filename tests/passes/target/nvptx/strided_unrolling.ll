; RUN: --passes=function(loop-simplify,lcssa,nvptx-strided-unrolling) --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; Four iterations become one in loops whose step is only known when they begin, but not where they write to global memory, and not for good where the counter could wrap around within four iterations.

; CHECK-LABEL: define {{.*}}@sum(
; CHECK: [[LEAD:%.*]] = mul i64 [[STEP:%.*]], 3
; CHECK: [[LIMIT:%.*]] = sub i64 [[BOUND:%.*]], [[LEAD]]
; CHECK: joined:
; CHECK-COUNT-4: load float
; CHECK: icmp ult i64 {{.*}}, [[LIMIT]]
; CHECK: rest:
; CHECK: icmp ult i64 {{.*}}, [[BOUND]]
; CHECK: loop:
; CHECK-COUNT-1: load float
; CHECK-NOT: load float
; CHECK: ret void
define ptx_kernel void @sum(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %start, i64 %step, i64 %n) {
entry:
  %some = icmp ult i64 %start, %n
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %longer, %loop ]
  %ap = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %ap
  %longer = fadd float %sum, %x
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %result = phi float [ 0.0, %entry ], [ %longer, %loop ]
  store float %result, ptr addrspace(1) %out
  ret void
}

; The comparison may be signed, its operands may be swapped and its branches, too.
; CHECK-LABEL: define {{.*}}@signed(
; CHECK: icmp ult i32 %step, 536870912
; CHECK: icmp slt i32 {{.*}}, %n
; CHECK: joined:
; CHECK-COUNT-4: load i32
; CHECK: ret void
define ptx_kernel void @signed(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %start, i32 %step, i32 %n) {
entry:
  %some = icmp slt i32 %start, %n
  br i1 %some, label %loop, label %done
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %all = phi i32 [ 0, %entry ], [ %longer, %loop ]
  %index = sext i32 %i to i64
  %ap = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %index
  %x = load i32, ptr addrspace(1) %ap
  %longer = xor i32 %all, %x
  %next = add i32 %step, %i
  %ends = icmp sle i32 %n, %next
  br i1 %ends, label %done, label %loop
done:
  %result = phi i32 [ 0, %entry ], [ %longer, %loop ]
  store i32 %result, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}}@writes(
; CHECK-COUNT-1: load float
; CHECK-NOT: load float
; CHECK: ret void
define ptx_kernel void @writes(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %start, i64 %step, i64 %n) {
entry:
  %some = icmp ult i64 %start, %n
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %ap = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %ap
  %double = fadd float %x, %x
  %op = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  store float %double, ptr addrspace(1) %op
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

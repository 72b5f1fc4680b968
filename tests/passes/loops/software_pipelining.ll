; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops,optimize,instructions --target=x86_64;cpu=x86-64-v4;packets=auto
; Iterations that are long chains overlap: the first half of an iteration runs beside the second half of the one before.

declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.sqrt.f32(float)

; The distance of the first iteration is made before the loop, in it for the next iteration, and no more after it, where only
; the sum of the last one is made.
; CHECK-LABEL: define void @quern.kernel.distances(
; CHECK: {{^}}iterations.first{{.*}}:
; CHECK-NOT: fadd <16 x float>
; CHECK: fsub <16 x float>
; CHECK-NOT: fadd <16 x float>
; CHECK: br i1 %{{.*}}, label %[[LAST:iterations.last[0-9]*]], label %[[LOOP:.*]]
; CHECK: {{^}}[[LOOP]]:
; CHECK: phi <16 x float> [ %{{.*}}, %iterations.first{{.*}} ], [ %{{.*}}, %[[LOOP]] ]
; CHECK: fadd <16 x float>
; CHECK: fsub <16 x float>
; CHECK: br i1 %{{.*}}, label %[[LAST]], label %[[LOOP]]
; CHECK: {{^}}[[LAST]]:
; CHECK-NOT: fsub <16 x float>
; CHECK: fadd <16 x float>
; CHECK-NOT: fsub <16 x float>
; CHECK: br label
; CHECK-LABEL: define void @quern.kernel.steps(
define spir_kernel void @distances(ptr addrspace(1) noalias %places, ptr addrspace(1) noalias %result, i32 %count) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %own.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  %own = load float, ptr addrspace(1) %own.place
  %any = icmp sgt i32 %count, 0
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = sext i32 %i to i64
  %place = getelementptr inbounds float, ptr addrspace(1) %places, i64 %index
  %other = load float, ptr addrspace(1) %place
  %way = fsub float %other, %own
  %square = fmul float %way, %way
  %soft = call float @llvm.fmuladd.f32(float %square, float %square, float 1.0)
  %distance = call float @llvm.sqrt.f32(float %soft)
  %inverse = fdiv float 1.0, %distance
  %pull = fmul float %inverse, %way
  %again = fmul float %pull, %inverse
  %third = fmul float %again, %inverse
  %more = fadd float %sum, %third
  %next = add nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %count
  br i1 %goes.on, label %loop, label %done

done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  store float %all, ptr addrspace(1) %own.place
  ret void
}

; Each iteration needs what the one before made.
; CHECK-NOT: iterations.first
; CHECK-LABEL: define void @quern.kernel.stores(
define spir_kernel void @steps(ptr addrspace(1) noalias %places, ptr addrspace(1) noalias %result, i32 %count) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %own.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  %own = load float, ptr addrspace(1) %own.place
  %any = icmp sgt i32 %count, 0
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ %own, %entry ], [ %more, %loop ]
  %index = sext i32 %i to i64
  %place = getelementptr inbounds float, ptr addrspace(1) %places, i64 %index
  %other = load float, ptr addrspace(1) %place
  %way = fsub float %other, %sum
  %square = fmul float %way, %way
  %soft = call float @llvm.fmuladd.f32(float %square, float %square, float 1.0)
  %distance = call float @llvm.sqrt.f32(float %soft)
  %inverse = fdiv float 1.0, %distance
  %pull = fmul float %inverse, %way
  %again = fmul float %pull, %inverse
  %more = fmul float %again, %inverse
  %next = add nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %count
  br i1 %goes.on, label %loop, label %done

done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  store float %all, ptr addrspace(1) %own.place
  ret void
}

; What an iteration reads may be what the one before wrote.
; CHECK-NOT: iterations.first
define spir_kernel void @stores(ptr addrspace(1) %places, ptr addrspace(1) %result, i32 %count) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %own.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  %own = load float, ptr addrspace(1) %own.place
  %any = icmp sgt i32 %count, 0
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %index = sext i32 %i to i64
  %place = getelementptr inbounds float, ptr addrspace(1) %places, i64 %index
  %other = load float, ptr addrspace(1) %place
  %way = fsub float %other, %own
  %square = fmul float %way, %way
  %soft = call float @llvm.fmuladd.f32(float %square, float %square, float 1.0)
  %distance = call float @llvm.sqrt.f32(float %soft)
  %inverse = fdiv float 1.0, %distance
  %pull = fmul float %inverse, %way
  %again = fmul float %pull, %inverse
  %third = fmul float %again, %inverse
  store float %third, ptr addrspace(1) %own.place
  %next = add nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %count
  br i1 %goes.on, label %loop, label %done

done:
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Ids fit 32 bits wherever packets run: they are compared in half as many vectors, with what is left of a longer number.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @below.region.0.packet(
; CHECK-NOT: icmp ult <4 x i64>
; CHECK: [[LOW:%.*]] = call i64 @llvm.smin.i64(i64 %n, i64 2147483647)
; CHECK: [[BOTH:%.*]] = call i64 @llvm.smax.i64(i64 [[LOW]], i64 -1)
; CHECK: trunc i64 [[BOTH]] to i32
; CHECK: icmp ult <4 x i32>
; CHECK-NOT: icmp ult <4 x i64>
; CHECK: ret i32 0
define spir_kernel void @below(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i32 %iterations) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %gid, %n
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %p = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %v = load float, ptr addrspace(1) %p
  %chosen = select i1 %inside, float %v, float 1.0
  %added = fadd float %sum, %chosen
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %iterations
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %added, ptr addrspace(1) %po
  ret void
}

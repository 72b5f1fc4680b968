; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,work-group-loops,optimize --target=x86_64;cpu=x86-64-v3
; LLVM vectorises the loop over work-items where a condition with constants tells it on one side of a branch that an index is not negative.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @quern.kernel.mean(
; CHECK: fadd <8 x float>
; CHECK: store <8 x float>
define spir_kernel void @mean(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %id1 = call spir_func i64 @_Z13get_global_idj(i32 1)
  %y = trunc i64 %id1 to i32
  %row = shl nsw i32 %y, 10
  %i = add nsw i32 %row, %x
  %right = icmp sgt i32 %x, 0
  %left = icmp slt i32 %x, 1023
  %below = icmp sgt i32 %y, 0
  %above = icmp slt i32 %y, 1023
  %c1 = and i1 %right, %left
  %c2 = and i1 %below, %above
  %inside = and i1 %c1, %c2
  br i1 %inside, label %inner, label %edge

inner:
  %index = zext nneg i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %a = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  %b = load float, ptr addrspace(1) %q
  %sum = fadd float %a, %b
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %index
  store float %sum, ptr addrspace(1) %o
  ret void

edge:
  %signed = sext i32 %i to i64
  %same = getelementptr inbounds float, ptr addrspace(1) %in, i64 %signed
  %c = load float, ptr addrspace(1) %same
  %place = getelementptr inbounds float, ptr addrspace(1) %out, i64 %signed
  store float %c, ptr addrspace(1) %place
  ret void
}

; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,work-group-loops,optimize --target=x86_64;cpu=x86-64-v3
; LLVM vectorises the loop over the work-items of a simple kernel, without checks at run time whether its buffers overlap.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @quern.kernel.saxpy(
; CHECK-NOT: ptrtoint
; CHECK: fmul <8 x float>
; CHECK: store <8 x float>
define spir_kernel void @saxpy(ptr addrspace(1) %x, ptr addrspace(1) %y, float %a) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr float, ptr addrspace(1) %x, i64 %id
  %py = getelementptr float, ptr addrspace(1) %y, i64 %id
  %vx = load float, ptr addrspace(1) %px
  %vy = load float, ptr addrspace(1) %py
  %product = fmul float %vx, %a
  %sum = fadd float %product, %vy
  store float %sum, ptr addrspace(1) %py
  ret void
}

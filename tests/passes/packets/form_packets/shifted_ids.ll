; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; The low bits of an id that was shifted count a packet's work-items, and the others are the same for all of them.

declare spir_func i64 @_Z12get_local_idj(i32)

; What instcombine makes of the id's row and column times four.
; CHECK-LABEL: define {{.*}} @shifted.region.0.tile(
; CHECK-NOT: gather
; CHECK: load float, ptr addrspace(1)
; CHECK: load <4 x float>
; CHECK-NOT: gather
; CHECK: ret i32 0
define spir_kernel void @shifted(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lid = call spir_func i64 @_Z12get_local_idj(i32 0)
  %short = trunc i64 %lid to i32
  %quarter = lshr i32 %short, 2
  %row = and i32 %quarter, 4194300
  %four = shl i32 %short, 2
  %column = and i32 %four, 60
  %wide.row = zext i32 %row to i64
  %pr = getelementptr float, ptr addrspace(1) %in, i64 %wide.row
  %r = load float, ptr addrspace(1) %pr
  %wide.column = zext i32 %column to i64
  %pc = getelementptr float, ptr addrspace(1) %in, i64 %wide.column
  %c = load float, ptr addrspace(1) %pc
  %pc1 = getelementptr float, ptr addrspace(1) %pc, i64 1
  %c1 = load float, ptr addrspace(1) %pc1
  %rc = fmul float %r, %c
  %sum = fadd float %rc, %c1
  %po = getelementptr float, ptr addrspace(1) %out, i64 %lid
  store float %sum, ptr addrspace(1) %po
  ret void
}

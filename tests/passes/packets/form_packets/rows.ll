; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; An id that is divided into a row and a column: a packet asks whether its ids are all in one row. Then the rows are the same,
; which one load reads for all, and the columns follow each other.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @rows.region.0.packet(
; CHECK: [[WIDTH:%.*]] = call i64 @llvm.umax.i64(i64 %width, i64 1)
; CHECK: [[COLUMN:%.*]] = urem i64 [[ID:%.*]], [[WIDTH]]
; CHECK: [[LEFT:%.*]] = sub i64 [[WIDTH]], [[COLUMN]]
; CHECK: [[ENDS:%.*]] = icmp ugt i64 [[LEFT]], 3
; CHECK: [[WRAPS:%.*]] = icmp ule i64 [[ID]], -4
; CHECK: [[ONE_ROW:%.*]] = and i1 [[ENDS]], [[WRAPS]]
; Its last work-items may lie outside of the work-group.
; CHECK: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v4i1(
; CHECK: [[BOTH:%.*]] = and i1 [[ONE_ROW]], [[ANY]]
; CHECK: [[ROW:%.*]] = udiv i64 [[ID]],
; CHECK: [[PLACE:%.*]] = getelementptr float, ptr addrspace(1) %in, i64 [[ROW]]
; CHECK: br i1 [[BOTH]], label %together, label %each
; CHECK-LABEL: together:
; CHECK: load float, ptr addrspace(1) [[PLACE]]
; CHECK-LABEL: each:
; CHECK: call <4 x float> @llvm.masked.gather.v4f32.v4p1(
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(
define spir_kernel void @rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %width) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = udiv i64 %gid, %width
  %column = urem i64 %gid, %width
  %pr = getelementptr float, ptr addrspace(1) %in, i64 %row
  %r = load float, ptr addrspace(1) %pr
  %pc = getelementptr float, ptr addrspace(1) %in, i64 %column
  %c = load float, ptr addrspace(1) %pc
  %sum = fadd float %c, %r
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum, ptr addrspace(1) %po
  ret void
}

; No packet fits a row.
; CHECK-NOT: @short.region.0.packet(
define spir_kernel void @short(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = lshr i64 %gid, 1
  %pr = getelementptr float, ptr addrspace(1) %in, i64 %row
  %r = load float, ptr addrspace(1) %pr
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %r, ptr addrspace(1) %po
  ret void
}

; RUN: --steps=retarget,prepare-kernels,nvptx-kernels,clean-up,optimize --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32 --emit=asm
; Sub-groups are warps: votes and shuffles of the threads that are there.

; CHECK-LABEL: .visible .entry k(
; CHECK: activemask.b32
; CHECK: shfl.sync.idx.b32
; CHECK: vote.sync.any.pred
; CHECK: bar.warp.sync
define spir_kernel void @k(ptr addrspace(1) %out, i32 %x, i32 %lane) {
  %a = call spir_func i32 @__quern_sub_group_int_int_uint(ptr @pick_int, i32 %x, i32 %lane)
  %b = call spir_func i32 @__quern_sub_group_int_int(ptr @any_of, i32 %a)
  call spir_func void @_Z17sub_group_barrierj(i32 1)
  store i32 %b, ptr addrspace(1) %out
  ret void
}

define internal void @pick_int(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal void @any_of(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
declare spir_func i32 @__quern_sub_group_int_int_uint(ptr, i32, i32) convergent
declare spir_func i32 @__quern_sub_group_int_int(ptr, i32) convergent
declare spir_func void @_Z17sub_group_barrierj(i32) convergent

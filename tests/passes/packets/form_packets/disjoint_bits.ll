; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,group-shapes,isolate-barriers,form-regions,form-packets
; In rows of 16 work-items `y << 4 | x` is a sum, so that neighbours access neighbouring elements. In rows of unknown length,
; and in longer ones, it is none.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define {{.*}} @rows.region.0.tile(
; CHECK: store <16 x float> {{%.*}}, ptr addrspace(3)
; CHECK-LABEL: define {{.*}} @rows.region.1.tile(
; CHECK: load <16 x float>, ptr addrspace(3)
define spir_kernel void @rows(ptr addrspace(3) %l, ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %row = shl i32 %y32, 4
  %own = or i32 %row, %x32
  %i = sext i32 %own to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %x
  %v = load float, ptr addrspace(1) %q
  %pl = getelementptr float, ptr addrspace(3) %l, i64 %i
  store float %v, ptr addrspace(3) %pl
  call spir_func void @_Z7barrierj(i32 1)
  %w = load float, ptr addrspace(3) %pl
  store float %w, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define {{.*}} @unknown.region.0.packet(
; CHECK: masked.scatter
; CHECK-LABEL: define {{.*}} @longer.region.0.packet(
; CHECK: masked.scatter
define spir_kernel void @unknown(ptr addrspace(3) %l, ptr addrspace(1) %p) {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %row = shl i32 %y32, 4
  %own = or i32 %row, %x32
  %i = sext i32 %own to i64
  %pl = getelementptr float, ptr addrspace(3) %l, i64 %i
  store float 1.0, ptr addrspace(3) %pl
  ret void
}

define spir_kernel void @longer(ptr addrspace(3) %l, ptr addrspace(1) %p) !reqd_work_group_size !1 {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %x32 = trunc i64 %x to i32
  %y32 = trunc i64 %y to i32
  %row = shl i32 %y32, 4
  %own = or i32 %row, %x32
  %i = sext i32 %own to i64
  %pl = getelementptr float, ptr addrspace(3) %l, i64 %i
  store float 1.0, ptr addrspace(3) %pl
  ret void
}

!0 = !{i32 16, i32 16, i32 1}
!1 = !{i32 32, i32 8, i32 1}

; RUN: --target=x86_64;cpu=x86-64-v3 --steps=launch-facts,prepare-kernels,work-item-bodies,clean-up,flat-dimensions,isolate-barriers,form-regions,form-packets --most-columns=1
; Where NDRanges have one work-item in dimension 0, packets along it would be empty: they run along dimension 1, if a
; kernel knows one, or not at all.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-NOT: @rows.region.0.packet(
; CHECK-NOT: @columns.region.0.
; CHECK: define {{.*}} @rows.region.0.exchanged.packet(
; CHECK: call <8 x float> @llvm.masked.load{{.*}}(ptr addrspace(1)
; CHECK-NOT: @rows.region.0.packet(
; CHECK-NOT: @columns.region.0.
define spir_kernel void @rows(ptr addrspace(1) %data) {
  %row = call spir_func i64 @_Z13get_global_idj(i32 1)
  %column = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul i64 %column, 1024
  %place = add i64 %start, %row
  %p = getelementptr float, ptr addrspace(1) %data, i64 %place
  %v = load float, ptr addrspace(1) %p
  %w = fmul float %v, %v
  store float %w, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @columns(ptr addrspace(1) %data) {
  %column = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %data, i64 %column
  %v = load float, ptr addrspace(1) %p
  %w = fmul float %v, %v
  store float %w, ptr addrspace(1) %p
  ret void
}

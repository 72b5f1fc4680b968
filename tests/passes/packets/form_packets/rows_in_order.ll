; RUN: --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,isolate-barriers,form-regions,form-packets
; Rows that go through memory in its order run one after the other, unless they have more in common than it costs to take turns. Where
; a row is a column of memory, several share its lines.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @alone.region.0(
; CHECK-SAME: [[ALONE:#[0-9]+]]
; CHECK-LABEL: define {{.*}} @shared.region.0(
; CHECK-SAME: [[SHARED:#[0-9]+]]
; CHECK-LABEL: define {{.*}} @column.region.0(
; CHECK-SAME: [[COLUMN:#[0-9]+]]
; CHECK-DAG: attributes [[ALONE]] = {{.*}}"quern-tile-columns"="8" "quern-tile-rows"="1"
; CHECK-DAG: attributes [[SHARED]] = {{.*}}"quern-tile-rows"="4"
; CHECK-DAG: attributes [[COLUMN]] = {{.*}}"quern-tile-rows"="2"
define spir_kernel void @alone(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %factors, ptr addrspace(1) noalias %out, i64 %pitch) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %row = mul i64 %y, %pitch
  %place = add i64 %row, %x
  %from = getelementptr float, ptr addrspace(1) %in, i64 %place
  %number = load float, ptr addrspace(1) %from
  %of.column = getelementptr float, ptr addrspace(1) %factors, i64 %x
  %factor = load float, ptr addrspace(1) %of.column
  %inverse = call float @inverse(float %number)
  %result = fmul float %factor, %inverse
  %to = getelementptr float, ptr addrspace(1) %out, i64 %place
  store float %result, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @shared(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %factors, ptr addrspace(1) noalias %out, i64 %pitch) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %row = mul i64 %y, %pitch
  %place = add i64 %row, %x
  %from = getelementptr float, ptr addrspace(1) %in, i64 %place
  %number = load float, ptr addrspace(1) %from
  %of.column = getelementptr float, ptr addrspace(1) %factors, i64 %x
  %factor = load float, ptr addrspace(1) %of.column
  %inverse = call float @inverse(float %factor)
  %result = fmul float %number, %inverse
  %to = getelementptr float, ptr addrspace(1) %out, i64 %place
  store float %result, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @column(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %factors, ptr addrspace(1) noalias %out, i64 %pitch) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %row = mul i64 %y, %pitch
  %place = add i64 %row, %x
  %column = mul i64 %x, %pitch
  %other = add i64 %column, %y
  %from = getelementptr float, ptr addrspace(1) %in, i64 %other
  %number = load float, ptr addrspace(1) %from
  %of.column = getelementptr float, ptr addrspace(1) %factors, i64 %x
  %factor = load float, ptr addrspace(1) %of.column
  %inverse = call float @inverse(float %number)
  %result = fmul float %factor, %inverse
  %to = getelementptr float, ptr addrspace(1) %out, i64 %place
  store float %result, ptr addrspace(1) %to
  ret void
}

define float @inverse(float %x) convergent {
  %root = call float @llvm.sqrt.f32(float %x)
  %inverse = fdiv float 1.0, %root
  ret float %inverse
}

; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,group-shapes,isolate-barriers,form-regions,form-packets
; A kernel that counts the columns of its array in dimension 1 gets a form whose packets run along that one.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define i32 @columns.region.0(
; CHECK-SAME: #[[EXCHANGED:[0-9]+]]
; In the other kernel neighbours in dimension 0 are neighbours in memory.
; CHECK-LABEL: define i32 @rows.region.0(
; CHECK-NOT: @rows.region.0.exchanged
; What was dimension 1 is dimension 0.
; CHECK-LABEL: define i32 @columns.region.0.exchanged(
; CHECK-SAME: #[[FORM:[0-9]+]]
; CHECK: [[ROW:%.*]] = add nuw i64 %first.y, %item.y
; CHECK: [[COLUMN:%.*]] = add nuw i64 %first.x, %item.x
; CHECK: [[START:%.*]] = mul i64 [[ROW]], %width
; CHECK: add i64 [[START]], [[COLUMN]]
; CHECK-LABEL: define i32 @columns.region.0.exchanged.tile(
; CHECK-NOT: gather
; CHECK: load <16 x float>, ptr addrspace(1)
; CHECK-NOT: scatter
; CHECK: store <16 x float>
define spir_kernel void @columns(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %width) {
  %row = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = call spir_func i64 @_Z13get_global_idj(i32 1)
  %start = mul i64 %row, %width
  %i = add i64 %start, %column
  %p = getelementptr float, ptr addrspace(1) %in, i64 %i
  %v = load float, ptr addrspace(1) %p
  %s = fmul float %v, %v
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %s, ptr addrspace(1) %q
  ret void
}

define spir_kernel void @rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %width) {
  %row = call spir_func i64 @_Z13get_global_idj(i32 1)
  %column = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul i64 %row, %width
  %i = add i64 %start, %column
  %p = getelementptr float, ptr addrspace(1) %in, i64 %i
  %v = load float, ptr addrspace(1) %p
  %s = fmul float %v, %v
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %s, ptr addrspace(1) %q
  ret void
}

; One that counts them in dimension 2, along that one, next to which those along dimension 1 are of no use.
; CHECK-NOT: @planes.region.0.exchanged.{{[0-9]}}
; CHECK-LABEL: define i32 @planes.region.0.exchanged(
; CHECK: add nuw i64 %first.z, %item.z
; CHECK: [[COLUMN:%.*]] = add nuw i64 %first.x, %item.x
; CHECK: add i64 %{{.*}}, [[COLUMN]]
define spir_kernel void @planes(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %width, i64 %size) {
  %plane = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = call spir_func i64 @_Z13get_global_idj(i32 1)
  %column = call spir_func i64 @_Z13get_global_idj(i32 2)
  %first = mul i64 %plane, %size
  %start = mul i64 %row, %width
  %sum = add i64 %first, %start
  %i = add i64 %sum, %column
  %p = getelementptr float, ptr addrspace(1) %in, i64 %i
  %v = load float, ptr addrspace(1) %p
  %s = fmul float %v, %v
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %s, ptr addrspace(1) %q
  ret void
}

; CHECK-NOT: @rows.region.0.exchanged
; CHECK: attributes #[[EXCHANGED]] = {{.*}} "quern-exchanged"="columns.region.0.exchanged"{{.*}}"quern-packet-dimension"="1"
; CHECK: attributes #[[FORM]] = {{.*}} "quern-least-filled"="3" "quern-packet"="columns.region.0.exchanged.packet"
; CHECK: kernel columns, region 0: along dimension 1 packets of 16 work-items
; CHECK: kernel planes, region 0: along dimension 2 packets of 16 work-items

; RUN: --steps=prepare-kernels,work-item-bodies,flat-dimensions,isolate-barriers,form-regions,work-group-loops
; Groups that nobody can tell from their neighbours in dimension 0 are run as one: a single loop over the row, cut off at the
; global size. Their sizes are the device's tiles.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define void @quern.kernel.flat(
; CHECK: groups:
; CHECK: [[BEGIN:%.*]] = mul nuw i64 %group.x.begin, %tile.size
; CHECK: [[FIRST:%.*]] = add nuw i64 [[BEGIN]], %global.offset
; CHECK: [[END:%.*]] = mul nuw i64 %group.x.end, %tile.size
; CHECK: [[CUT:%.*]] = call i64 @llvm.umin.i64(i64 [[END]], i64 %global.size)
; CHECK: [[SIZE:%.*]] = sub nuw i64 [[CUT]],
; CHECK: items.x:
; CHECK: add nuw i64 [[FIRST]], %item.x
; CHECK: icmp ult i64 {{%.*}}, [[SIZE]]
; CHECK-NOT: group.done
; CHECK: attributes #{{.*}} "quern-flat"="5"
define spir_kernel void @flat(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %id
  store i64 %y, ptr addrspace(1) %q
  ret void
}

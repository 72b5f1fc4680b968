; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; One loop nest in the loop over the work-groups of a row.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @quern.kernel.k(ptr noalias noundef readonly %arguments, ptr noalias noundef readonly align 8 dereferenceable({{[0-9]+}}) %launch, ptr noalias noundef readonly align 8 dereferenceable({{[0-9]+}}) %scratch, i64 noundef %group.x.begin, i64 noundef %group.x.end, i64 noundef %group.y, i64 noundef %group.z)
; CHECK: entry:
; CHECK: %p = load ptr addrspace(1), ptr {{%.*}}, align 1
; CHECK: %n = load i32, ptr {{%.*}}, align 1
; CHECK: group:
; CHECK: %group.x = phi i64 [ %group.x.begin, %entry ], [ %group.x.next, %group.done ]
; CHECK: [[START:%.*]] = mul nuw i64 %group.x, %tile.size
; CHECK: [[FIRST:%.*]] = add nuw i64 [[START]], %global.offset
; CHECK: [[REST:%.*]] = sub nuw i64 %global.size, [[START]]
; CHECK: [[SIZE:%.*]] = call i64 @llvm.umin.i64(i64 [[REST]], i64 %tile.size)
; CHECK: items.z:
; CHECK: items.y:
; CHECK: items.x:
; CHECK: %item.x = phi i64 [ 0, %items.y ], [ [[NEXT:%.*]], %items.x ]
; CHECK: [[ID:%.*]] = add nuw i64 [[FIRST]], %item.x
; CHECK: store i32 %n
; CHECK: [[NEXT]] = add nuw nsw i64 %item.x, 1
; CHECK: [[MORE:%.*]] = icmp ult i64 [[NEXT]], [[SIZE]]
; CHECK: br i1 [[MORE]], label %items.x, label %items.x.done
; CHECK-NOT: @k.region
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  store i32 %n, ptr addrspace(1) %q
  %local = call spir_func i64 @_Z12get_local_idj(i32 0)
  store i64 %local, ptr addrspace(1) %q
  ret void
}

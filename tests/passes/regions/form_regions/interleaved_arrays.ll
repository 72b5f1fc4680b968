; RUN: --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; An array that lives across a barrier, and whose indices work-items mostly have in common, keeps the same elements of all
; work-items next to each other: indices count once for each work-item of the group, vectors are accessed one element after the
; other, and a fill is one of elements. Where indices are the work-items' own, each has its elements in one place.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: [[SHARED_SLOT:%.+]] = mul nuw i64 %item.index, 4
; CHECK-NEXT: %shared.slot = getelementptr inbounds i8, ptr {{%.+}}, i64 [[SHARED_SLOT]]
; CHECK: [[FOURTH:%.+]] = mul i64 12, %items
; CHECK-NEXT: [[FOURTH_PLACE:%.+]] = getelementptr i8, ptr %shared.slot, i64 [[FOURTH]]
; CHECK-NEXT: store i32 0, ptr [[FOURTH_PLACE]], align 1
; CHECK: [[BYTES:%.+]] = mul i64 %n, 4
; CHECK: [[APART:%.+]] = mul i64 [[BYTES]], %items
; CHECK: [[PLACE:%.+]] = getelementptr i8, ptr %shared.slot, i64 [[APART]]
; CHECK: store i32 1, ptr [[PLACE]], align 4
; CHECK: getelementptr [4 x i32], ptr %own.slot, i64 0, i64 %item.x
; CHECK-LABEL: define i32 @k.region.1(
; CHECK: load i32, ptr %shared.slot, align 4
; CHECK: [[NEXT:%.+]] = mul i64 %items, 4
; CHECK: [[SECOND:%.+]] = getelementptr i8, ptr %shared.slot, i64 [[NEXT]]
; CHECK: load i32, ptr [[SECOND]], align 4
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {
  %shared = alloca [8 x i32], align 16
  %own = alloca [4 x i32]
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  call void @llvm.memset.p0.i64(ptr %shared, i8 0, i64 32, i1 false)
  %a = getelementptr [8 x i32], ptr %shared, i64 0, i64 %n
  store i32 1, ptr %a, align 4
  %b = getelementptr [4 x i32], ptr %own, i64 0, i64 %id
  store i32 2, ptr %b, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %two = load <2 x i32>, ptr %shared, align 16
  store <2 x i32> %two, ptr addrspace(1) %p
  %c = getelementptr [4 x i32], ptr %own, i64 0, i64 %id
  %one = load i32, ptr %c, align 4
  store i32 %one, ptr addrspace(1) %p
  ret void
}

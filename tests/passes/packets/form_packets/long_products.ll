; RUN: --target=x86_64;cpu=x86-64-v4;packets=all --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; The halves of products of 64-bit numbers are made from products of 32 bits, and what compares them or multiplies them again
; needs no 128 bits either.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @montgomery.region.0.packet(
; CHECK-NOT: i128
; CHECK: lshr <8 x i64> {{%.*}}, splat (i64 32)
; CHECK-NOT: i128
; CHECK: icmp ult <8 x i64>
; CHECK-NOT: i128
; CHECK: ret i32
define spir_kernel void @montgomery(ptr addrspace(1) %a, i64 %p) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i64, ptr addrspace(1) %a, i64 %gid
  %va = load i64, ptr addrspace(1) %pa, !noundef !0
  %wide.a = zext i64 %va to i128
  %wide.p = zext i64 %p to i128
  %square = mul nuw i128 %wide.a, %wide.a
  %high = lshr i128 %square, 64
  %more = mul nuw i128 %high, %wide.p
  %more.high = lshr i128 %more, 70
  %less = icmp ult i128 %high, %more.high
  %low = trunc i128 %square to i64
  %top = trunc i128 %more.high to i64
  %result = select i1 %less, i64 %low, i64 %top
  store i64 %result, ptr addrspace(1) %pa
  ret void
}

; A negative number's product is corrected by the other number.
; CHECK-LABEL: define {{.*}} @negative.region.0.packet(
; CHECK-NOT: i128
; CHECK: ashr <8 x i64> {{%.*}}, splat (i64 63)
; CHECK-NOT: i128
; CHECK: ret i32
define spir_kernel void @negative(ptr addrspace(1) %a) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i64, ptr addrspace(1) %a, i64 %gid
  %va = load i64, ptr addrspace(1) %pa, !noundef !0
  %wide = sext i64 %va to i128
  %product = mul nsw i128 %wide, -5
  %high = ashr i128 %product, 64
  %result = trunc i128 %high to i64
  store i64 %result, ptr addrspace(1) %pa
  ret void
}

; Sums of 128 bits are left.
; CHECK-NOT: @sum.region.0.packet(
define spir_kernel void @sum(ptr addrspace(1) %a) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i64, ptr addrspace(1) %a, i64 %gid
  %va = load i64, ptr addrspace(1) %pa, !noundef !0
  %wide = zext i64 %va to i128
  %product = mul nuw i128 %wide, %wide
  %more = add nuw i128 %product, %wide
  %high = lshr i128 %more, 64
  %result = trunc i128 %high to i64
  store i64 %result, ptr addrspace(1) %pa
  ret void
}
!0 = !{}

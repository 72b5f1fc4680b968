; RUN: --passes=short-products --target=x86_64;cpu=x86-64-v3
; Products of elements of 16 bits that are shifted beyond those are made in 32 bits; others stay.

; CHECK-LABEL: define {{.*}} @high(
; CHECK: [[A:%.*]] = trunc <8 x i64> %a.wide to <8 x i32>
; CHECK: [[B:%.*]] = trunc <8 x i64> %b.wide to <8 x i32>
; CHECK: [[PRODUCT:%.*]] = mul nsw <8 x i32> [[A]], [[B]]
; CHECK: [[WIDE:%.*]] = sext <8 x i32> [[PRODUCT]] to <8 x i64>
; CHECK: lshr <8 x i64> [[WIDE]], splat (i64 32)
define <8 x i16> @high(<8 x i16> %a, <8 x i16> %b) {
  %a.wide = sext <8 x i16> %a to <8 x i64>
  %b.wide = sext <8 x i16> %b to <8 x i64>
  %product = mul nsw <8 x i64> %a.wide, %b.wide
  %high = lshr <8 x i64> %product, splat (i64 32)
  %short = trunc <8 x i64> %high to <8 x i16>
  ret <8 x i16> %short
}

; A number of 17 significant bits is too long.
; CHECK-LABEL: define {{.*}} @long(
; CHECK: mul <8 x i64>
define <8 x i16> @long(<8 x i16> %a, <8 x i16> %b) {
  %a.wide = sext <8 x i16> %a to <8 x i64>
  %b.wide = zext <8 x i16> %b to <8 x i64>
  %product = mul <8 x i64> %a.wide, %b.wide
  %high = ashr <8 x i64> %product, splat (i64 20)
  %short = trunc <8 x i64> %high to <8 x i16>
  ret <8 x i16> %short
}

; LLVM's high half of a product of 16 bits is right.
; CHECK-LABEL: define {{.*}} @half(
; CHECK: mul <8 x i64>
define <8 x i16> @half(<8 x i16> %a, <8 x i16> %b) {
  %a.wide = sext <8 x i16> %a to <8 x i64>
  %b.wide = sext <8 x i16> %b to <8 x i64>
  %product = mul <8 x i64> %a.wide, %b.wide
  %high = lshr <8 x i64> %product, splat (i64 16)
  %short = trunc <8 x i64> %high to <8 x i16>
  ret <8 x i16> %short
}

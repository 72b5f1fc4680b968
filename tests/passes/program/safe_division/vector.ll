; RUN: --passes=safe-division

; CHECK-LABEL: @signed(
; CHECK: [[SUM:%.*]] = add <4 x i32> %b, splat (i32 1)
; CHECK: icmp ult <4 x i32> [[SUM]], splat (i32 2)
; CHECK: [[SAFE:%.*]] = select <4 x i1> {{.*}}, <4 x i32> splat (i32 1), <4 x i32> %b
; CHECK: [[Q:%.*]] = sdiv <4 x i32> %a, [[SAFE]]
; CHECK: sub <4 x i32> zeroinitializer, [[Q]]
define <4 x i32> @signed(<4 x i32> noundef %a, <4 x i32> noundef %b) {
  %q = sdiv <4 x i32> %a, %b
  ret <4 x i32> %q
}

; One bad element is enough.
; CHECK-LABEL: @one_zero(
; CHECK: udiv <2 x i32> %a, <i32 3, i32 1>
define <2 x i32> @one_zero(<2 x i32> noundef %a) {
  %q = udiv <2 x i32> %a, <i32 3, i32 0>
  ret <2 x i32> %q
}

; CHECK-LABEL: @harmless(
; CHECK-NOT: select
define <2 x i32> @harmless(<2 x i32> noundef %a) {
  %q = sdiv <2 x i32> %a, <i32 3, i32 -5>
  ret <2 x i32> %q
}

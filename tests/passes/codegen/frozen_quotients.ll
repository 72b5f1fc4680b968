; RUN: --passes=frozen-quotients --target=x86_64;cpu=x86-64-v3
; What divisions of vectors by constants give is frozen, whatever becomes of it; other divisions stay as they are.

; CHECK-LABEL: define {{.*}} @different(
; CHECK: [[SPREAD:%.*]] = shufflevector
; CHECK: %remainder = urem <4 x i32> [[SPREAD]], <i32 27, i32 1, i32 27, i32 1>
; CHECK-NEXT: [[FROZEN:%.*]] = freeze <4 x i32> %remainder
; CHECK-NEXT: shufflevector <4 x i32> [[FROZEN]], <4 x i32> poison
define <4 x i32> @different(<4 x i32> %x) {
  %spread = shufflevector <4 x i32> %x, <4 x i32> poison, <4 x i32> <i32 0, i32 poison, i32 1, i32 poison>
  %remainder = urem <4 x i32> %spread, <i32 27, i32 1, i32 27, i32 1>
  %even = shufflevector <4 x i32> %remainder, <4 x i32> poison, <4 x i32> <i32 0, i32 2, i32 poison, i32 poison>
  ret <4 x i32> %even
}

; CHECK-LABEL: define {{.*}} @signed(
; CHECK: %quotient = sdiv <2 x i64> %x, <i64 3, i64 5>
; CHECK-NEXT: [[QUOTIENT:%.*]] = freeze <2 x i64> %quotient
; CHECK-NEXT: %remainder = srem <2 x i64> [[QUOTIENT]], <i64 7, i64 1>
; CHECK-NEXT: [[REMAINDER:%.*]] = freeze <2 x i64> %remainder
; CHECK-NEXT: %sum = add <2 x i64> [[QUOTIENT]], [[REMAINDER]]
define <2 x i64> @signed(<2 x i64> %x) {
  %quotient = sdiv <2 x i64> %x, <i64 3, i64 5>
  %remainder = srem <2 x i64> %quotient, <i64 7, i64 1>
  %sum = add <2 x i64> %quotient, %remainder
  ret <2 x i64> %sum
}

; CHECK-LABEL: define {{.*}} @splat(
; CHECK: %quotient = udiv <4 x i8> %x, splat (i8 5)
; CHECK-NEXT: [[FROZEN:%.*]] = freeze <4 x i8> %quotient
; CHECK-NEXT: shufflevector <4 x i8> [[FROZEN]], <4 x i8> poison
define <4 x i8> @splat(<4 x i8> %x, <4 x i8> %y) {
  %quotient = udiv <4 x i8> %x, splat (i8 5)
  %reversed = shufflevector <4 x i8> %quotient, <4 x i8> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %product = mul <4 x i8> %reversed, %y
  ret <4 x i8> %product
}

; CHECK-LABEL: define {{.*}} @others(
; CHECK-NOT: freeze
define <2 x i32> @others(<2 x i32> %x, <2 x i32> %y, i32 %z) {
  %unknown = udiv <2 x i32> %x, %y
  %product = mul <2 x i32> %unknown, <i32 3, i32 5>
  %scalar = udiv i32 %z, 27
  %result = insertelement <2 x i32> %product, i32 %scalar, i64 0
  ret <2 x i32> %result
}

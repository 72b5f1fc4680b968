; RUN: --passes=masked-shuffles --target=x86_64;cpu=x86-64-v4
; What is loaded under a mask, shuffled, and chosen by the same mask is hidden in between: LLVM would have the shuffle read memory.

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, <2 x i1>, <2 x i32>)
declare <16 x i64> @llvm.masked.load.v16i64.p0(ptr, <16 x i1>, <16 x i64>)

; CHECK-LABEL: define {{.*}} @shuffled(
; CHECK: [[LOADED:%.*]] = call <4 x i32> @llvm.masked.load
; CHECK-NEXT: [[HIDDEN:%.*]] = call <4 x i32> asm "", "=v,0"(<4 x i32> [[LOADED]])
; CHECK-NEXT: shufflevector <4 x i32> [[HIDDEN]]
define <4 x i32> @shuffled(ptr %p, <4 x i1> %m, <4 x i32> %other) {
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %m, <4 x i32> poison)
  %turned = shufflevector <4 x i32> %loaded, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %chosen = select <4 x i1> %m, <4 x i32> %turned, <4 x i32> %other
  ret <4 x i32> %chosen
}

; Vectors that are no register become part of one, or several.
; CHECK-LABEL: define {{.*}} @short(
; CHECK: [[LOADED:%.*]] = call <2 x i32> @llvm.masked.load
; CHECK-NEXT: [[NUMBER:%.*]] = bitcast <2 x i32> [[LOADED]] to i64
; CHECK-NEXT: [[WIDE:%.*]] = insertelement <2 x i64> poison, i64 [[NUMBER]], i64 0
; CHECK-NEXT: [[HIDDEN:%.*]] = call <2 x i64> asm "", "=v,0"(<2 x i64> [[WIDE]])
; CHECK-NEXT: [[OUT:%.*]] = extractelement <2 x i64> [[HIDDEN]], i64 0
; CHECK-NEXT: bitcast i64 [[OUT]] to <2 x i32>
define <2 x i32> @short(ptr %p, <2 x i1> %m, <2 x i32> %other) {
  %loaded = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 4 %p, <2 x i1> %m, <2 x i32> poison)
  %turned = shufflevector <2 x i32> %loaded, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %chosen = select <2 x i1> %m, <2 x i32> %turned, <2 x i32> %other
  ret <2 x i32> %chosen
}

; CHECK-LABEL: define {{.*}} @truncated(
; CHECK-COUNT-2: call <16 x i32> asm "", "=v,0"(
; CHECK: trunc <16 x i64>
define <16 x i32> @truncated(ptr %p, <16 x i1> %m, <16 x i32> %other) {
  %loaded = call <16 x i64> @llvm.masked.load.v16i64.p0(ptr align 8 %p, <16 x i1> %m, <16 x i64> poison)
  %low = trunc <16 x i64> %loaded to <16 x i32>
  %chosen = select <16 x i1> %m, <16 x i32> %low, <16 x i32> %other
  ret <16 x i32> %chosen
}

; Other masks, and operations of each element alone, stay.
; CHECK-LABEL: define {{.*}} @others(
; CHECK-NOT: asm
; CHECK: ret <4 x i32>
define <4 x i32> @others(ptr %p, <4 x i1> %m, <4 x i1> %n, <4 x i32> %other) {
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %m, <4 x i32> poison)
  %turned = shufflevector <4 x i32> %loaded, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
  %chosen = select <4 x i1> %n, <4 x i32> %turned, <4 x i32> %other
  %more = add <4 x i32> %loaded, %chosen
  %last = select <4 x i1> %m, <4 x i32> %more, <4 x i32> %other
  ret <4 x i32> %last
}

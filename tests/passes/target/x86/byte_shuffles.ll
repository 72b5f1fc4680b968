; RUN: --passes=byte-shuffles --target=x86_64;cpu=icelake-server
; Bytes of a shuffle that nobody asks for come from where they are: LLVM's permutation of 64 bytes never ends otherwise.

; CHECK-LABEL: define {{.*}} @reversed(
; CHECK: shufflevector <64 x i8> %a, <64 x i8> poison, <64 x i32> <i32 56, i32 57, {{.*}} i32 15, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
define <64 x i8> @reversed(<64 x i8> %a) {
  %s = shufflevector <64 x i8> %a, <64 x i8> poison, <64 x i32> <i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  ret <64 x i8> %s
}

; Of a shorter vector the elements come again.
; CHECK-LABEL: define {{.*}} @widened(
; CHECK: shufflevector <2 x i8> %a, <2 x i8> poison, <64 x i32> <i32 1, i32 1, i32 0, i32 1, {{.*}} i32 0, i32 1>
define <64 x i8> @widened(<2 x i8> %a) {
  %s = shufflevector <2 x i8> %a, <2 x i8> poison, <64 x i32> <i32 1, i32 1, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  ret <64 x i8> %s
}

; CHECK-LABEL: define {{.*}} @narrow(
; CHECK: <4 x i32> <i32 3, i32 2, i32 poison, i32 0>
define <4 x i8> @narrow(<4 x i8> %a) {
  %s = shufflevector <4 x i8> %a, <4 x i8> poison, <4 x i32> <i32 3, i32 2, i32 poison, i32 0>
  ret <4 x i8> %s
}

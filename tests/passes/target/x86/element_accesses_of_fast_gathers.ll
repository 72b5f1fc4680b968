; RUN: --target=x86_64;cpu=sapphirerapids --passes=element-accesses
; Gathers of Intel's processors take as long as loads.

; CHECK-LABEL: @rows(
; CHECK: call <4 x float> @llvm.masked.gather
define <4 x float> @rows(ptr addrspace(1) %data) {
  %places = getelementptr float, ptr addrspace(1) %data, <4 x i64> <i64 0, i64 9, i64 18, i64 27>
  %all = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %places, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %all
}

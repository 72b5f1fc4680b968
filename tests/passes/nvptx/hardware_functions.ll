; RUN: --steps=retarget --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; Functions of the library that the hardware has; a function of the program keeps its body.

; CHECK-LABEL: define float @_Z5rsqrtf(float %x)
; CHECK-NEXT: call float @llvm.nvvm.rsqrt.approx.f(float %x)
; CHECK-LABEL: define <2 x float> @_Z10native_sinDv2_f(
; CHECK-COUNT-2: call float @llvm.nvvm.sin.approx.f(
; CHECK-NOT: call
; CHECK-LABEL: define float @_Z3expf(
; CHECK: call float @llvm.rint.f32(
; CHECK-COUNT-2: call float @llvm.fma.f32(
; CHECK: @llvm.nvvm.ex2.approx
; CHECK-LABEL: define float @_Z10native_cosf(
; CHECK-NEXT: ret float %x
define float @_Z5rsqrtf(float %x) {
  ret float %x
}

define <2 x float> @_Z10native_sinDv2_f(<2 x float> %x) {
  ret <2 x float> %x
}

define float @_Z3expf(float %x) {
  ret float %x
}

define float @_Z10native_cosf(float %x) "quern-program" {
  ret float %x
}

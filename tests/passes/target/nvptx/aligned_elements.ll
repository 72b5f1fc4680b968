; RUN: --passes=nvptx-aligned-elements --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; Elements of images in a GPU's memory are aligned; what a program's own function reads may not be.

; CHECK-LABEL: define <4 x float> @__quern_fetch_f(
; CHECK: load <4 x i8>, ptr addrspace(1) %element, align 4
; CHECK: load <4 x float>, ptr addrspace(1) %element, align 16
; CHECK: load i16, ptr addrspace(1) %element, align 2
; CHECK: load float, ptr addrspace(1) %table, align 4
; CHECK-LABEL: define void @__quern_store_ui(
; CHECK: store <2 x i32> %color, ptr addrspace(1) %element, align 8
; CHECK-LABEL: define <4 x float> @program(
; CHECK: load <4 x float>, ptr addrspace(1) %element, align 1
define <4 x float> @__quern_fetch_f(ptr addrspace(1) %element, ptr addrspace(1) %table) {
  %small = load <4 x i8>, ptr addrspace(1) %element, align 1
  %large = load <4 x float>, ptr addrspace(1) %element, align 1
  %packed = load i16, ptr addrspace(1) %element, align 1
  %linear = load float, ptr addrspace(1) %table, align 4
  %wide = uitofp <4 x i8> %small to <4 x float>
  %sum = fadd <4 x float> %wide, %large
  %number = uitofp i16 %packed to float
  %first = fadd float %number, %linear
  %result = insertelement <4 x float> %sum, float %first, i32 0
  ret <4 x float> %result
}

define void @__quern_store_ui(ptr addrspace(1) %element, <2 x i32> %color) {
  store <2 x i32> %color, ptr addrspace(1) %element, align 1
  ret void
}

define <4 x float> @program(ptr addrspace(1) %element) "quern-program" {
  %color = load <4 x float>, ptr addrspace(1) %element, align 1
  ret <4 x float> %color
}

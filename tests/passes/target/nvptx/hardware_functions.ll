; RUN: --passes=nvptx-hardware-functions --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; Functions of the library that the hardware has, and instructions that the library asks for; a function of the program keeps
; its body.

; CHECK-LABEL: define float @_Z5rsqrtf(float %x)
; CHECK-NEXT: call float @llvm.nvvm.rsqrt.approx.f(float %x)
; CHECK-LABEL: define <2 x float> @_Z10native_sinDv2_f(
; CHECK-COUNT-2: call float @llvm.nvvm.sin.approx.ftz.f(
; CHECK-NOT: call
; CHECK-LABEL: define float @instructions(
; CHECK: call float @llvm.nvvm.saturate.f(float %x)
; CHECK: @llvm.nvvm.ex2.approx.ftz
; CHECK: call float @llvm.nvvm.rcp.approx.ftz.f(
; CHECK: call double @llvm.nvvm.rcp.approx.ftz.d(
; CHECK: call void @llvm.nvvm.membar.sys()
; CHECK-LABEL: define i32 @threads(
; CHECK: [[MASK:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK: call i32 @llvm.nvvm.vote.ballot.sync(i32 [[MASK]], i1 %isSo)
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
; CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 [[MASK]], i32 %value, i32 0, i32 31)
; CHECK: call void @llvm.nvvm.bar.warp.sync(i32 [[MASK]])
; CHECK: call void @llvm.nvvm.nanosleep(i32 32)
; CHECK-LABEL: define <4 x i32> @texture(
; CHECK: [[CHANNELS:%.*]] = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.2d.v4u32.s32(i64 %texture, i32 %x, i32 0)
; CHECK: extractvalue { i32, i32, i32, i32 } [[CHANNELS]], 3
; CHECK-LABEL: define float @_Z10native_cosf(
; CHECK-NEXT: ret float %x
; CHECK-NOT: __quern_nvptx_
define float @_Z5rsqrtf(float %x) {
  ret float %x
}

define <2 x float> @_Z10native_sinDv2_f(<2 x float> %x) {
  ret <2 x float> %x
}

define float @instructions(float %x) {
  %share = call float @__quern_nvptx_saturate(float %x)
  %power = call float @__quern_nvptx_exp2(float %share)
  %inverse = call float @__quern_nvptx_reciprocal(float %power)
  %wide = fpext float %inverse to double
  %back = call double @__quern_nvptx_wide_reciprocal(double %wide)
  %result = fptrunc double %back to float
  call void @__quern_nvptx_fence_of_all_devices()
  ret float %result
}

define i32 @threads(i32 %value, i1 %isSo) {
  %mask = call i32 @__quern_nvptx_active_mask()
  %ballot = call i32 @__quern_nvptx_ballot(i32 %mask, i1 zeroext %isSo)
  %below = call i32 @__quern_nvptx_lanes_below()
  %first = call i32 @__quern_nvptx_shuffle(i32 %mask, i32 %value, i32 0, i32 31)
  call void @__quern_nvptx_warp_barrier(i32 %mask)
  call void @__quern_nvptx_sleep(i32 32)
  %two = add i32 %ballot, %below
  %three = add i32 %two, %first
  ret i32 %three
}

define <4 x i32> @texture(i64 %texture, i32 %x) {
  %color = call <4 x i32> @__quern_nvptx_element_ui(i64 %texture, i32 %x, i32 0)
  ret <4 x i32> %color
}

define float @_Z10native_cosf(float %x) "quern-program" {
  ret float %x
}

declare void @__quern_nvptx_fence_of_all_devices()
declare float @__quern_nvptx_saturate(float)
declare float @__quern_nvptx_exp2(float)
declare float @__quern_nvptx_reciprocal(float)
declare double @__quern_nvptx_wide_reciprocal(double)
declare <4 x i32> @__quern_nvptx_element_ui(i64, i32, i32)
declare i32 @__quern_nvptx_active_mask()
declare i32 @__quern_nvptx_ballot(i32, i1 zeroext)
declare i32 @__quern_nvptx_lanes_below()
declare i32 @__quern_nvptx_shuffle(i32, i32, i32, i32)
declare void @__quern_nvptx_warp_barrier(i32)
declare void @__quern_nvptx_sleep(i32)

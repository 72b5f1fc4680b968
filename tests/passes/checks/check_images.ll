; RUN: --passes=link-builtins,lower-opaque-types,function(check-images)
; Each coordinate is held against the size in the image's description.

declare spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1), <2 x i32>, <4 x float>)

; CHECK-LABEL: define {{.*}}@k(
; CHECK: [[X:%.*]] = extractelement <2 x i32> %at, i64 0
; CHECK: [[WIDTH:%.*]] = load i32,
; CHECK: icmp uge i32 [[X]], [[WIDTH]]
; CHECK: call void @quern.check.fault(
; CHECK: [[Y:%.*]] = extractelement <2 x i32> %at, i64 1
; CHECK: [[HEIGHT:%.*]] = load i32,
; CHECK: icmp uge i32 [[Y]], [[HEIGHT]]
; CHECK: call void @quern.check.fault(
; CHECK: write_imagef
define spir_kernel void @k(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %image, <2 x i32> %at) {
  call spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 1) %image, <2 x i32> %at, <4 x float> zeroinitializer)
  ret void
}

; RUN: --passes=lower-opaque-types
; What turns images and samplers into what stands for them disappears; a constant sampler is a constant.

; CHECK-LABEL: define spir_func i64 @bits(
; CHECK-NEXT: [[SUM:%.*]] = add i64 %sampler, 39
; CHECK-NEXT: ret i64 [[SUM]]
define spir_func i64 @bits(target("spirv.Sampler") %sampler) {
  %constant = call spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32 39)
  %a = call i64 @__quern_sampler(target("spirv.Sampler") %sampler)
  %b = call i64 @__quern_sampler(target("spirv.Sampler") %constant)
  %sum = add i64 %a, %b
  ret i64 %sum
}

; CHECK-LABEL: define spir_func ptr addrspace(2) @address(
; CHECK-NEXT: ret ptr addrspace(2) %image
define spir_func ptr addrspace(2) @address(target("spirv.Image", void, 2, 0, 0, 0, 0, 0, 1) %image) {
  %address = call ptr addrspace(2) @_Z13__quern_image14ocl_image3d_wo(target("spirv.Image", void, 2, 0, 0, 0, 0, 0, 1) %image)
  ret ptr addrspace(2) %address
}

; CHECK-NOT: declare
declare spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32)
declare i64 @__quern_sampler(target("spirv.Sampler"))
declare ptr addrspace(2) @_Z13__quern_image14ocl_image3d_wo(target("spirv.Image", void, 2, 0, 0, 0, 0, 0, 1))

; RUN: --steps=link-builtins --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; An image is read through its textures, by a form of the library's function.

target triple = "spir64"

; CHECK-LABEL: define <4 x float> @program(
; CHECK: call <4 x float> @__nvptx___quern_sample_f_1(
define <4 x float> @program(ptr %image) {
  %color = call <4 x float> @__quern_sample_f_1(ptr %image, i64 0, float 0.0)
  ret <4 x float> %color
}

; CHECK-LABEL: define {{.*}}@__nvptx___quern_sample_f_1(
; CHECK: call {{.*}}@__quern_nvptx_has_texture(
; CHECK: call {{.*}}@__quern_nvptx_filtered_f(
declare <4 x float> @__quern_sample_f_1(ptr, i64, float)

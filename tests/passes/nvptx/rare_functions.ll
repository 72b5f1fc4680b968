; RUN: --steps=prepare-kernels --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; What the built-in library has for rare arguments may be inlined.

; CHECK: define internal float @_Z19__quern_rare_lengthf(float %x) {
; CHECK-NOT: noinline
target triple = "nvptx64-nvidia-cuda"

define spir_func float @_Z19__quern_rare_lengthf(float %x) noinline {
  ret float %x
}

; RUN: --steps=prepare-kernels --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; What the built-in library has for rare arguments may be inlined, unless hardly any program needs it.

; CHECK: define internal float @_Z19__quern_rare_lengthf(float %x) {
; CHECK: define internal float @memory_element(float %x) [[COLD:#[0-9]+]]
; CHECK: attributes [[COLD]] = { cold noinline }
target triple = "nvptx64-nvidia-cuda"

define spir_func float @_Z19__quern_rare_lengthf(float %x) noinline {
  ret float %x
}

define spir_func float @memory_element(float %x) cold noinline {
  ret float %x
}

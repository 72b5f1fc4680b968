; RUN: --passes=inline-sampling
; A constant sampler's code is part of the kernel; another one's is called.

; CHECK-LABEL: define float @constant(
; CHECK-NEXT: ret float %x
define float @constant(ptr addrspace(2) %image, float %x) {
  %r = call float @__quern_sample_f_1(ptr addrspace(2) %image, i64 6, i64 0, float %x)
  ret float %r
}

; CHECK-LABEL: define float @given(
; CHECK: call float @__quern_sample_f_1(ptr addrspace(2) %image, i64 %sampler, i64 0, float %x)
define float @given(ptr addrspace(2) %image, i64 %sampler, float %x) {
  %r = call float @__quern_sample_f_1(ptr addrspace(2) %image, i64 %sampler, i64 0, float %x)
  ret float %r
}

; CHECK-LABEL: define internal float @__quern_sample_f_1(
define internal float @__quern_sample_f_1(ptr addrspace(2) %image, i64 %sampler, i64 %base, float %x) {
  %mode = and i64 %sampler, 14
  %repeats = icmp eq i64 %mode, 6
  %r = select i1 %repeats, float %x, float 0.0
  ret float %r
}

; Nothing calls it any more.
; CHECK-NOT: @__quern_sample_f_2
define internal float @__quern_sample_f_2(ptr addrspace(2) %image, i64 %sampler) {
  ret float 0.0
}

define float @only_constant(ptr addrspace(2) %image) {
  %r = call float @__quern_sample_f_2(ptr addrspace(2) %image, i64 0)
  ret float %r
}

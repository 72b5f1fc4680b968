; RUN: --passes=nvptx-approximate-division --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; What OpenCL lets be approximate is, unless the program's options or flags of the operation say otherwise.

; CHECK-LABEL: define void @k(
; CHECK: %[[X:.*]] = call float @llvm.nvvm.div.full(float %a, float %b)
; CHECK: %[[R:.*]] = call float @llvm.nvvm.sqrt.approx.f(float %[[X]])
; CHECK: %exact = fdiv float %[[R]], %b
; CHECK: %fast = fdiv afn float %exact, %b, !fpmath
; CHECK: %double = fdiv double
; CHECK-LABEL: define internal float @library(
; CHECK: fdiv float %a, %b, !fpmath
define void @k(ptr addrspace(1) %out, float %a, float %b, double %d) "quern-program" {
  %x = fdiv float %a, %b, !fpmath !0
  %r = call float @llvm.sqrt.f32(float %x), !fpmath !1
  %exact = fdiv float %r, %b
  %fast = fdiv afn float %exact, %b, !fpmath !0
  %double = fdiv double %d, %d
  store float %fast, ptr addrspace(1) %out
  store double %double, ptr addrspace(1) %out
  ret void
}

define internal float @library(float %a, float %b) {
  %x = fdiv float %a, %b, !fpmath !0
  ret float %x
}

declare float @llvm.sqrt.f32(float)
!0 = !{float 2.5}
!1 = !{float 3.0}

; RUN: FAILS --steps=prepare-kernels,mark-callees,inline-callees
; Each function doubles what is inlined into it: twenty of them would be a million copies of the barrier.
; CHECK: error: function '[[F:f[0-9]+]]' has more than 300000 instructions of functions that must be inlined into it because work-items meet in them, such as the function '{{f[0-9]+}}'
declare spir_func void @_Z7barrierj(i32)

define spir_func void @f0() {
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

define spir_func void @f1() {
  call spir_func void @f0()
  call spir_func void @f0()
  ret void
}

define spir_func void @f2() {
  call spir_func void @f1()
  call spir_func void @f1()
  ret void
}

define spir_func void @f3() {
  call spir_func void @f2()
  call spir_func void @f2()
  ret void
}

define spir_func void @f4() {
  call spir_func void @f3()
  call spir_func void @f3()
  ret void
}

define spir_func void @f5() {
  call spir_func void @f4()
  call spir_func void @f4()
  ret void
}

define spir_func void @f6() {
  call spir_func void @f5()
  call spir_func void @f5()
  ret void
}

define spir_func void @f7() {
  call spir_func void @f6()
  call spir_func void @f6()
  ret void
}

define spir_func void @f8() {
  call spir_func void @f7()
  call spir_func void @f7()
  ret void
}

define spir_func void @f9() {
  call spir_func void @f8()
  call spir_func void @f8()
  ret void
}

define spir_func void @f10() {
  call spir_func void @f9()
  call spir_func void @f9()
  ret void
}

define spir_func void @f11() {
  call spir_func void @f10()
  call spir_func void @f10()
  ret void
}

define spir_func void @f12() {
  call spir_func void @f11()
  call spir_func void @f11()
  ret void
}

define spir_func void @f13() {
  call spir_func void @f12()
  call spir_func void @f12()
  ret void
}

define spir_func void @f14() {
  call spir_func void @f13()
  call spir_func void @f13()
  ret void
}

define spir_func void @f15() {
  call spir_func void @f14()
  call spir_func void @f14()
  ret void
}

define spir_func void @f16() {
  call spir_func void @f15()
  call spir_func void @f15()
  ret void
}

define spir_func void @f17() {
  call spir_func void @f16()
  call spir_func void @f16()
  ret void
}

define spir_func void @f18() {
  call spir_func void @f17()
  call spir_func void @f17()
  ret void
}

define spir_func void @f19() {
  call spir_func void @f18()
  call spir_func void @f18()
  ret void
}

define spir_func void @f20() {
  call spir_func void @f19()
  call spir_func void @f19()
  ret void
}

define spir_kernel void @k() {
  call spir_func void @f20()
  ret void
}

; RUN: --passes=prepare-kernels,mark-callees<least>
; What must become part of its callers does, although it is marked as not to be inlined: a function has one of the two attributes.

; CHECK: define internal void @meet() [[MEET:#[0-9]+]]
; CHECK: attributes [[MEET]] = { alwaysinline }
define void @meet() noinline {
  call void @_Z7barrierj(i32 1)
  ret void
}

declare void @_Z7barrierj(i32)

define spir_kernel void @k() {
  call void @meet()
  ret void
}

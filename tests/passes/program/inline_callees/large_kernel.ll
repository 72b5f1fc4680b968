; RUN: --steps=prepare-kernels,mark-callees,inline-callees
; Each function doubles what would be inlined into it: what is large and called twice is called, and told where the work-item is.
; A kernel that is small with everything inlined is of one piece.

; CHECK-LABEL: define void @large(
; CHECK: [[ID:%.*]] = call i64 @_Z13get_global_idj(i32 1)
; CHECK: call void @f{{[0-9]+}}(ptr %variable, i64 [[ID]])
; CHECK: ret void

; CHECK-LABEL: define void @small(
; CHECK-NOT: call void
; CHECK: call i64 @_Z13get_global_idj(i32 0)
; CHECK-NOT: call void
; CHECK: ret void

; CHECK: define internal void @f{{[0-9]+}}(ptr %p, i64 [[OWN:%.*]])
; CHECK-NOT: call i64
; CHECK: store i64 [[OWN]], ptr %p
declare spir_func i64 @_Z13get_global_idj(i32)

define spir_kernel void @large() {
  %variable = alloca i64
  call spir_func void @f16(ptr %variable)
  ret void
}

define spir_kernel void @small() {
  %variable = alloca i64
  call spir_func void @g(ptr %variable)
  call spir_func void @g(ptr %variable)
  ret void
}

define spir_func void @g(ptr %p) "quern-program" {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  store i64 %id, ptr %p
  ret void
}

define spir_func void @f0(ptr %p) "quern-program" {
  %id = call spir_func i64 @_Z13get_global_idj(i32 1)
  store i64 %id, ptr %p
  ret void
}

define spir_func void @f1(ptr %p) "quern-program" {
  call spir_func void @f0(ptr %p)
  call spir_func void @f0(ptr %p)
  ret void
}

define spir_func void @f2(ptr %p) "quern-program" {
  call spir_func void @f1(ptr %p)
  call spir_func void @f1(ptr %p)
  ret void
}

define spir_func void @f3(ptr %p) "quern-program" {
  call spir_func void @f2(ptr %p)
  call spir_func void @f2(ptr %p)
  ret void
}

define spir_func void @f4(ptr %p) "quern-program" {
  call spir_func void @f3(ptr %p)
  call spir_func void @f3(ptr %p)
  ret void
}

define spir_func void @f5(ptr %p) "quern-program" {
  call spir_func void @f4(ptr %p)
  call spir_func void @f4(ptr %p)
  ret void
}

define spir_func void @f6(ptr %p) "quern-program" {
  call spir_func void @f5(ptr %p)
  call spir_func void @f5(ptr %p)
  ret void
}

define spir_func void @f7(ptr %p) "quern-program" {
  call spir_func void @f6(ptr %p)
  call spir_func void @f6(ptr %p)
  ret void
}

define spir_func void @f8(ptr %p) "quern-program" {
  call spir_func void @f7(ptr %p)
  call spir_func void @f7(ptr %p)
  ret void
}

define spir_func void @f9(ptr %p) "quern-program" {
  call spir_func void @f8(ptr %p)
  call spir_func void @f8(ptr %p)
  ret void
}

define spir_func void @f10(ptr %p) "quern-program" {
  call spir_func void @f9(ptr %p)
  call spir_func void @f9(ptr %p)
  ret void
}

define spir_func void @f11(ptr %p) "quern-program" {
  call spir_func void @f10(ptr %p)
  call spir_func void @f10(ptr %p)
  ret void
}

define spir_func void @f12(ptr %p) "quern-program" {
  call spir_func void @f11(ptr %p)
  call spir_func void @f11(ptr %p)
  ret void
}

define spir_func void @f13(ptr %p) "quern-program" {
  call spir_func void @f12(ptr %p)
  call spir_func void @f12(ptr %p)
  ret void
}

define spir_func void @f14(ptr %p) "quern-program" {
  call spir_func void @f13(ptr %p)
  call spir_func void @f13(ptr %p)
  ret void
}

define spir_func void @f15(ptr %p) "quern-program" {
  call spir_func void @f14(ptr %p)
  call spir_func void @f14(ptr %p)
  ret void
}

define spir_func void @f16(ptr %p) "quern-program" {
  call spir_func void @f15(ptr %p)
  call spir_func void @f15(ptr %p)
  ret void
}

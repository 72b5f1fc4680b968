; RUN: --steps=prepare-kernels,mark-callees,inline-callees
; Each function doubles what would be inlined into it. The kernel is of one piece, because accesses to variables that become values do not
; count: 20,000 of its 49,000 instructions last.

; CHECK: define void @large(
; CHECK-NOT: call void @f
; CHECK: ret void
; CHECK-NOT: define internal void @f

define spir_func void @f0(ptr %p) {
  %v = alloca i32
  store i32 1, ptr %v
  %a = load i32, ptr %v
  store i32 2, ptr %v
  %b = load i32, ptr %v
  store i32 3, ptr %v
  %c = load i32, ptr %v
  store i32 %c, ptr %p
  ret void
}

define spir_func void @f1(ptr %p) {
  call spir_func void @f0(ptr %p)
  call spir_func void @f0(ptr %p)
  ret void
}

define spir_func void @f2(ptr %p) {
  call spir_func void @f1(ptr %p)
  call spir_func void @f1(ptr %p)
  ret void
}

define spir_func void @f3(ptr %p) {
  call spir_func void @f2(ptr %p)
  call spir_func void @f2(ptr %p)
  ret void
}

define spir_func void @f4(ptr %p) {
  call spir_func void @f3(ptr %p)
  call spir_func void @f3(ptr %p)
  ret void
}

define spir_func void @f5(ptr %p) {
  call spir_func void @f4(ptr %p)
  call spir_func void @f4(ptr %p)
  ret void
}

define spir_func void @f6(ptr %p) {
  call spir_func void @f5(ptr %p)
  call spir_func void @f5(ptr %p)
  ret void
}

define spir_func void @f7(ptr %p) {
  call spir_func void @f6(ptr %p)
  call spir_func void @f6(ptr %p)
  ret void
}

define spir_func void @f8(ptr %p) {
  call spir_func void @f7(ptr %p)
  call spir_func void @f7(ptr %p)
  ret void
}

define spir_func void @f9(ptr %p) {
  call spir_func void @f8(ptr %p)
  call spir_func void @f8(ptr %p)
  ret void
}

define spir_func void @f10(ptr %p) {
  call spir_func void @f9(ptr %p)
  call spir_func void @f9(ptr %p)
  ret void
}

define spir_func void @f11(ptr %p) {
  call spir_func void @f10(ptr %p)
  call spir_func void @f10(ptr %p)
  ret void
}

define spir_func void @f12(ptr %p) {
  call spir_func void @f11(ptr %p)
  call spir_func void @f11(ptr %p)
  ret void
}

define spir_kernel void @large() {
  %variable = alloca i32
  call spir_func void @f12(ptr %variable)
  ret void
}

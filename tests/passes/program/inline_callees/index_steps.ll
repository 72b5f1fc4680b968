; RUN: --steps=mark-callees,inline-callees
; Functions that are but a few operations of which indices are made are inlined; others of the built-in library are not.

; CHECK-LABEL: define void @kernel(
; CHECK: %[[NARROW:.*]] = trunc i64 %n to i32
; CHECK: mul i32
; CHECK: call i32 @limited(
; CHECK: call float @rounded(float
; CHECK: call i32 @loaded(ptr
; CHECK: call i32 @chosen(i32
define void @kernel(i64 %n, float %f, ptr addrspace(1) %p) "quern-kernel"="kernel" {
  %narrow = call i32 @narrowed(i64 %n)
  %row = call i32 @product(i32 %narrow, i32 33)
  %limited = call i32 @limited(i32 %row, i32 100)
  %r = call float @rounded(float %f)
  %v = call i32 @loaded(ptr addrspace(1) %p)
  %c = call i32 @chosen(i32 %limited)
  %place = getelementptr i32, ptr addrspace(1) %p, i32 %c
  store i32 %v, ptr addrspace(1) %place
  store float %r, ptr addrspace(1) %p
  ret void
}

define internal i32 @narrowed(i64 %x) {
  %r = trunc i64 %x to i32
  ret i32 %r
}

define internal i32 @product(i32 %x, i32 %y) {
  %a = shl i32 %x, 8
  %b = ashr i32 %a, 8
  %r = mul i32 %b, %y
  ret i32 %r
}

; CHECK: define internal i32 @limited
define internal i32 @limited(i32 %x, i32 %y) {
  %r = call i32 @llvm.smin.i32(i32 %x, i32 %y)
  ret i32 %r
}

; CHECK: define internal float @rounded
define internal float @rounded(float %x) {
  %r = call float @llvm.rint.f32(float %x)
  ret float %r
}

; CHECK: define internal i32 @loaded
define internal i32 @loaded(ptr addrspace(1) %p) {
  %r = load i32, ptr addrspace(1) %p
  ret i32 %r
}

; CHECK: define internal i32 @chosen
define internal i32 @chosen(i32 %x) {
  %less = icmp slt i32 %x, 0
  br i1 %less, label %negative, label %done
negative:
  ret i32 0
done:
  ret i32 %x
}

declare i32 @llvm.smin.i32(i32, i32)
declare float @llvm.rint.f32(float)

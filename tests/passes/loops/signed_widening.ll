; RUN: --passes=signed-widening
; A number that is known not to be negative is widened as a signed one, as where nothing is known of it.

; CHECK-LABEL: define {{.*}}@known(
; CHECK: sext i32 %i to i64
; CHECK-NOT: zext
; CHECK: ret void
define void @known(ptr %p, i32 %i) {
  %wide = zext nneg i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 1, ptr %place
  ret void
}

; CHECK-LABEL: define {{.*}}@unsigned(
; CHECK: zext i32 %i to i64
; CHECK: ret void
define void @unsigned(ptr %p, i32 %i) {
  %wide = zext i32 %i to i64
  %place = getelementptr i32, ptr %p, i64 %wide
  store i32 1, ptr %place
  ret void
}

; RUN: --passes=image-formats<object=0:262144;object=2:257>
; Where an image's format is known, an access to an element is the code of that format, and what its description says a number.
; RGBA of bytes here: 4 bytes an element, layout and order 0; and 0 bytes, layout 1, order 1 for the other one.

; CHECK-LABEL: define {{.*}} @k(
; CHECK-NOT: call
; CHECK: [[LAYOUT:%.*]] = zext i32 0 to i64
; CHECK: add i64 [[LAYOUT]], 4
; CHECK: add i32 0, 4
; CHECK: add i32 1, 1
; CHECK: ret void
define void @k(ptr addrspace(2) %image, i64 %sampler, ptr addrspace(2) %other, ptr addrspace(2) %unknown) "quern-kernel" "quern-arguments"="4" {
  %color = call i64 @__quern_fetch_ui(ptr addrspace(2) %image, i64 4)
  %bytes.p = getelementptr i8, ptr addrspace(2) %image, i64 36
  %bytes = load i32, ptr addrspace(2) %bytes.p
  %sum = add i32 0, %bytes
  %layout.p = getelementptr i8, ptr addrspace(2) %other, i64 40
  %layout = load i32, ptr addrspace(2) %layout.p
  %order.p = getelementptr i8, ptr addrspace(2) %layout.p, i64 4
  %order = load i32, ptr addrspace(2) %order.p
  %both = add i32 %layout, %order
  ret void
}

; The width is no part of a format.
; CHECK-LABEL: define {{.*}} @width(
; CHECK: load i32
define i32 @width(ptr addrspace(2) %image) "quern-kernel" "quern-arguments"="1" {
  %p = getelementptr i8, ptr addrspace(2) %image, i64 24
  %width = load i32, ptr addrspace(2) %p
  ret i32 %width
}

; CHECK: call i64 @__quern_fetch_ui(ptr addrspace(2) %unknown
define i64 @another(i64 %x, ptr addrspace(2) %unknown) "quern-kernel" "quern-arguments"="2" {
  %color = call i64 @__quern_fetch_ui(ptr addrspace(2) %unknown, i64 4)
  ret i64 %color
}

define internal i64 @__quern_fetch_ui(ptr addrspace(2) %image, i64 %offset) {
  %p = getelementptr i8, ptr addrspace(2) %image, i64 40
  %layout = load i32, ptr addrspace(2) %p
  %wide = zext i32 %layout to i64
  %sum = add i64 %wide, %offset
  ret i64 %sum
}

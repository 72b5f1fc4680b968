; RUN: --steps=mark-callees,inline-callees
; What takes an image is inlined, however large its callers; the code behind it is not.

; CHECK-LABEL: define void @kernel(
; CHECK: call float @fetch(ptr addrspace(2) %image, i64 7)
define void @kernel(ptr addrspace(2) %image, ptr addrspace(1) %out) "quern-kernel"="kernel" {
  %r = call float @read(ptr addrspace(2) %image)
  store float %r, ptr addrspace(1) %out
  ret void
}

; CHECK-NOT: define internal float @read
define internal float @read(ptr addrspace(2) %image) "quern-image-function" {
  %r = call float @fetch(ptr addrspace(2) %image, i64 7)
  ret float %r
}

; CHECK: define internal float @fetch
define internal float @fetch(ptr addrspace(2) %image, i64 %offset) {
  %p = getelementptr i8, ptr addrspace(2) %image, i64 %offset
  %r = load float, ptr addrspace(2) %p
  ret float %r
}

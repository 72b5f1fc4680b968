; RUN: --passes=prepare-kernels,work-item-bodies,function(promote-pointers)
; A variable that holds a pointer becomes a value; others stay.

; CHECK-LABEL: define void @k.item(
; CHECK-NOT: %p.addr
; CHECK: %n = alloca i32
; CHECK: store i32 1, ptr addrspace(1) %p
define spir_kernel void @k(ptr addrspace(1) %p) {
  %p.addr = alloca ptr addrspace(1), align 8
  %n = alloca i32, align 4
  store ptr addrspace(1) %p, ptr %p.addr, align 8
  store i32 1, ptr %n, align 4
  %q = load ptr addrspace(1), ptr %p.addr, align 8
  store i32 1, ptr addrspace(1) %q, align 4
  ret void
}

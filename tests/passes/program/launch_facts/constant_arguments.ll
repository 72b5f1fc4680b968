; RUN: --passes=prepare-kernels,work-item-bodies,constant-arguments<argument=1:7;argument=2:-3>,function(sroa<modify-cfg>,early-cse,instcombine)
; The values that launches pass take the arguments' places; a pointer, and an argument of another number, stays.

; CHECK-LABEL: define void @k.item(
; CHECK: [[SUM:%.*]] = add i64 %m, 7
; CHECK: store i64 [[SUM]], ptr addrspace(1) %p
; CHECK: store i8 -3, ptr addrspace(1) %q
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i8 %c, i64 %m, ptr addrspace(1) %q) {
  %sum = add i64 %n, %m
  store i64 %sum, ptr addrspace(1) %p
  store i8 %c, ptr addrspace(1) %q
  ret void
}

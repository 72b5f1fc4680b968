; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; Two barriers in the branches of a condition: the condition of the group decides which region follows, and the tail that both
; lead to is part of both regions.

declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: br i1 %c, label %a, label %b
; CHECK: to.1:
; CHECK: ret i32 1
; CHECK: to.2:
; CHECK: ret i32 2
; CHECK-LABEL: define i32 @k.region.1(
; CHECK: tail:
; CHECK: ret i32 0
; CHECK-LABEL: define i32 @k.region.2(
; CHECK: tail:
; CHECK: ret i32 0
; CHECK: "quern-exits"="1,2"
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %a, label %b
a:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %p
  br label %tail
b:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 2, ptr addrspace(1) %p
  br label %tail
tail:
  store i32 3, ptr addrspace(1) %p
  ret void
}

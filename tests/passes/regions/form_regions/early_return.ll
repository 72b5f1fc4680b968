; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; The whole group may end before the barrier.

declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: ret i32 0
; CHECK: to.1:
; CHECK: ret i32 1
; CHECK: "quern-exits"="0,1"
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %out, label %go
go:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %p
  br label %out
out:
  ret void
}

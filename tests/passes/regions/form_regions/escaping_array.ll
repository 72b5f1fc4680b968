; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; A variable whose address is stored may be reached from anywhere.

declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK-NOT: alloca
; CHECK: "quern-context-item-bytes"="4"
define spir_kernel void @k(ptr addrspace(1) %p) {
  %x = alloca i32
  store ptr %x, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; Without a barrier the kernel is one region.

; CHECK: define i32 @k.region.0({{.*}} [[ATTRIBUTES:#[0-9]+]]
; CHECK: store i32 1, ptr addrspace(1) %p
; CHECK: ret i32 0
; CHECK-NOT: @k.region.1
; CHECK-NOT: @k.item
; CHECK: attributes [[ATTRIBUTES]] = {{.*}}"quern-context-item-bytes"="0"{{.*}}"quern-exits"="0"{{.*}}"quern-region"="0"
define spir_kernel void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}

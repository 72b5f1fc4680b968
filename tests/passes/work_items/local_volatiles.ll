; RUN: --steps=prepare-kernels,work-item-bodies,clean-up
; What is volatile in local memory is not, for no thread but one uses it. In global memory another work-group or device may.

; CHECK-LABEL: @exchange.item(
; CHECK: store float %{{.*}}, ptr addrspace(3) %p, align 4
; CHECK-NEXT: store volatile float %{{.*}}, ptr addrspace(1) %out, align 4
; CHECK-NEXT: load volatile float, ptr addrspace(1) %out, align 4
; CHECK: load float, ptr addrspace(3) %q, align 4
define spir_kernel void @exchange(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %out, float %x) {
  store volatile float %x, ptr addrspace(3) %p, align 4
  store volatile float %x, ptr addrspace(1) %out, align 4
  %y = load volatile float, ptr addrspace(1) %out, align 4
  %z = load volatile float, ptr addrspace(3) %q, align 4
  %sum = fadd float %y, %z
  store volatile float %sum, ptr addrspace(1) %out, align 4
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions
; What is volatile in local memory is not, for no thread but one uses it. In global memory another work-group or device may, and who
; writes a tag to local memory until it is its own waits for others.

; CHECK-LABEL: @exchange.region.0(
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

; CHECK-LABEL: @count.region.0(
; CHECK: load volatile i32, ptr addrspace(3) %p
; CHECK: store volatile i32 %{{.*}}, ptr addrspace(3) %p
; CHECK: load volatile i32, ptr addrspace(3) %p
define spir_kernel void @count(ptr addrspace(3) %p, i32 %tag) {
entry:
  br label %again

again:
  %before = load volatile i32, ptr addrspace(3) %p, align 4
  %next = add i32 %before, 1
  %tagged = or i32 %next, %tag
  store volatile i32 %tagged, ptr addrspace(3) %p, align 4
  %now = load volatile i32, ptr addrspace(3) %p, align 4
  %lost = icmp ne i32 %now, %tagged
  br i1 %lost, label %again, label %done

done:
  ret void
}

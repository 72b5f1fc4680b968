; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; Regions are connected as the kernel's barriers are: a jump where there is one successor, a switch where there are several.

declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: %uniforms.in = alloca
; CHECK: %uniforms.out = alloca
; The region before the loop leads to the barrier only. It does nothing for a work-item, so it runs once.
; CHECK: {{^}}region.0:
; CHECK-NOT: {{^}}items
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 64 %uniforms.in, ptr align 64 %uniforms.out
; CHECK-NEXT: br label %region.1
; CHECK: {{^}}region.1:
; CHECK: {{^}}items.x:
; The region after the barrier leads to it again or to the end.
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 64 %uniforms.in, ptr align 64 %uniforms.out
; CHECK: switch i32 {{%.*}}, label %group.done [
; CHECK-NEXT: i32 1, label %region.1
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call spir_func void @_Z7barrierj(i32 1)
  store i32 %i, ptr addrspace(1) %p
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

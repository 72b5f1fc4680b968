; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; Accesses of one work-item that may meet in memory must keep their order, so they stay out of the access group: a load that
; follows a store, and stores to two objects. Local and global memory never meet.

; CHECK-LABEL: define i32 @load_after_store.region.0(
; CHECK-NOT: !llvm.access.group
; CHECK-LABEL: define i32 @two_objects.region.0(
; CHECK-NOT: !llvm.access.group
; CHECK-LABEL: define i32 @loop.region.0(
; CHECK-NOT: !llvm.access.group
; CHECK-LABEL: define i32 @two_kinds.region.0(
; CHECK: store i32 1, ptr addrspace(3) %l, align 4, !llvm.access.group
; CHECK: load i32, ptr addrspace(1) %p, align 4, !llvm.access.group
; CHECK: store i32 {{%.*}}, ptr addrspace(1) %p, align 4, !llvm.access.group
define spir_kernel void @load_after_store(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  store i32 1, ptr addrspace(1) %p
  %x = load i32, ptr addrspace(1) %q
  store i32 %x, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @two_objects(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  store i32 1, ptr addrspace(1) %p
  store i32 2, ptr addrspace(1) %q
  ret void
}

define spir_kernel void @loop(ptr addrspace(1) %p, i1 %c) {
entry:
  br label %again
again:
  %x = load i32, ptr addrspace(1) %p
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(1) %p
  br i1 %c, label %again, label %done
done:
  ret void
}

define spir_kernel void @two_kinds(ptr addrspace(1) %p, ptr addrspace(3) %l) {
  store i32 1, ptr addrspace(3) %l
  %x = load i32, ptr addrspace(1) %p
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; RUN: --passes=prepare-kernels,work-item-bodies,function(isolate-barriers)
; A barrier is alone in its block and the only way into the next one; variables gather at the start.

declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define void @k.item(
; CHECK-NEXT: entry:
; CHECK-NEXT: %late = alloca i32
; CHECK-NEXT: store i32 0, ptr addrspace(1) %p
; CHECK-NEXT: br label %[[BARRIER1:.*]]
; CHECK: [[BARRIER1]]:
; CHECK-NEXT: call void @quern.barrier(i32 1, i32 1)
; CHECK-NEXT: br label %[[AFTER1:.*]]
; CHECK: [[AFTER1]]:
; CHECK-NEXT: br label %[[BARRIER2:.*]]
; CHECK: [[BARRIER2]]:
; CHECK-NEXT: call void @quern.barrier(i32 2, i32 1)
; CHECK-NEXT: br label %[[AFTER2:.*]]
; CHECK: [[AFTER2]]:
; CHECK-NEXT: store i32 7, ptr %late
; CHECK-NEXT: ret void
; CHECK-NOT: unreachable.block
define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  store i32 0, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  call spir_func void @_Z7barrierj(i32 2)
  %late = alloca i32
  store i32 7, ptr %late
  ret void
unreachable.block:
  ret void
}

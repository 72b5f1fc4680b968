; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; A region runs only for the work-items that wait for it; the lowest region that any waits for is next.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: %next.lowest = alloca i32
; CHECK: region.0:
; CHECK: store i32 -1, ptr %next.lowest
; CHECK: store i32 {{%.*}}, ptr %next.slot
; CHECK: [[LOWEST:%.*]] = call i32 @llvm.umin.i32(
; CHECK: store i32 [[LOWEST]], ptr %next.lowest
; CHECK: [[NEXT:%.*]] = load i32, ptr %next.lowest
; CHECK: switch i32 [[NEXT]], label %group.done [
; CHECK-NEXT: i32 0, label %region.1
; CHECK: %waiting = load i32, ptr
; CHECK: [[MINE:%.*]] = icmp eq i32 %waiting, 1
; CHECK: br i1 [[MINE]], label %run{{.*}}, label %ran
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %c = icmp ult i64 %id, %n
  br i1 %c, label %go, label %out
go:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %p
  br label %out
out:
  ret void
}

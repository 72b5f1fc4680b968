; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; Some work-items may return before the barrier: each one's next region is kept in its part of the context, minus 1. The first region
; leaves nothing there for those that end, and the next one only acts for those that wait for it. A divergent branch whose paths join
; before the barrier does not need that.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK: define i32 @returns.region.0({{.*}} [[RETURNS:#[0-9]+]]
; CHECK: br i1 %c, label %go, label %out
; CHECK: out:
; CHECK-NEXT: br label %done
; CHECK: to.1:
; CHECK-NEXT: br label %leave
; CHECK: leave:
; CHECK-NEXT: %next = phi i32 [ 0, %to.1 ]
; CHECK-NEXT: store i32 %next, ptr %next.slot, align 4, !llvm.access.group
; CHECK-NEXT: br label %done
; CHECK: done:
; CHECK-NEXT: ret i32 0
; CHECK-LABEL: define i32 @returns.region.1(
; CHECK: [[NEXT:%.*]] = load i32, ptr %next.slot, align 4, !llvm.access.group {{.*}}, !quern.next.region
; CHECK-NEXT: %waits = icmp eq i32 [[NEXT]], 0
; CHECK-NEXT: br i1 %waits, label %waiting, label %done
; CHECK: waiting:
; CHECK: store i32 1, ptr addrspace(1) %p
; CHECK: %next = phi i32 [ -1, %out ]
; CHECK-NEXT: store i32 %next, ptr %next.slot
; CHECK: define i32 @joins.region.0({{.*}} [[JOINS:#[0-9]+]]
; CHECK: attributes [[RETURNS]] = {{.*}}"quern-context-item-bytes"="4"{{.*}}"quern-divergent-exits"{{.*}}"quern-next-region-offset"="0"
; CHECK: attributes [[JOINS]] = {
; CHECK-NOT: "quern-divergent-exits"
; CHECK-SAME: "quern-context-item-bytes"="0"
define spir_kernel void @returns(ptr addrspace(1) %p, i64 %n) {
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

define spir_kernel void @joins(ptr addrspace(1) %p, i64 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %c = icmp ult i64 %id, %n
  br i1 %c, label %some, label %all
some:
  store i32 1, ptr addrspace(1) %p
  br label %all
all:
  %uniform = icmp eq i64 %n, 3
  br i1 %uniform, label %wait, label %out
wait:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 2, ptr addrspace(1) %p
  br label %out
out:
  ret void
}

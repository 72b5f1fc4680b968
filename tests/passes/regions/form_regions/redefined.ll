; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; The use after the barrier sees the value of the last iteration or, where the region has made it anew, the new one: the two
; definitions meet in a phi.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define i32 @k.region.1(
; CHECK: start:
; CHECK: [[OLD:%.*]] = load i32, ptr %x.slot
; CHECK: tail:
; CHECK-NEXT: [[MERGED:%.*]] = phi i32 [ [[NEW:%.*]], %loop ], [ [[OLD]], %after.barrier ]
; CHECK: store volatile i32 [[MERGED]], ptr addrspace(1)
; CHECK: loop:
; CHECK-NEXT: [[NEW]] = load i32, ptr addrspace(1)
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  br label %loop
loop:
  %x = load i32, ptr addrspace(1) %q
  %skip = icmp eq i32 %n, 3
  br i1 %skip, label %tail, label %wait
wait:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
tail:
  store volatile i32 %x, ptr addrspace(1) %q
  %more = icmp slt i32 %n, 5
  br i1 %more, label %loop, label %done
done:
  ret void
}

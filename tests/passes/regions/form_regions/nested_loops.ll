; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; A barrier in the inner of two loops that are left by break and continue.

declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: to.1:
; CHECK: ret i32 1
; CHECK-LABEL: define i32 @k.region.1(
; CHECK: after.barrier:
; CHECK: br i1 %break, label %outer.latch, label %inner.latch
; CHECK: outer.latch:
; CHECK: br i1 %outer.more, label %outer, label %done
; CHECK: to.1:
; CHECK: "quern-exits"="0,1"
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n, i32 %m) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %continue = icmp eq i32 %j, %m
  br i1 %continue, label %inner.latch, label %body
body:
  call spir_func void @_Z7barrierj(i32 1)
  %x = load i32, ptr addrspace(1) %p
  %break = icmp eq i32 %x, %m
  br i1 %break, label %outer.latch, label %inner.latch
inner.latch:
  %j.next = add i32 %j, 1
  %inner.more = icmp slt i32 %j.next, %n
  br i1 %inner.more, label %inner, label %outer.latch
outer.latch:
  %i.next = add i32 %i, 1
  %outer.more = icmp slt i32 %i.next, %n
  br i1 %outer.more, label %outer, label %done
done:
  ret void
}

; RUN: --passes=prepare-kernels,work-item-bodies,function(isolate-barriers,split-uniform-branches,join-barriers)
; Where much code follows the place at which the ways from many barriers join, a barrier of our own makes a region of it. The
; ways begin with barriers of our own, too, because the group decides on them together.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @long.item(
; CHECK: call void @quern.barrier(i32 0, i32 0)
; CHECK-NOT: call void @quern.barrier
; CHECK: store volatile i32 0,
define spir_kernel void @long(ptr addrspace(1) %p, i32 %n) {
entry:
  switch i32 %n, label %tail [
    i32 0, label %case0
    i32 1, label %case1
    i32 2, label %case2
    i32 3, label %case3
    i32 4, label %case4
    i32 5, label %case5
    i32 6, label %case6
    i32 7, label %case7
    i32 8, label %case8
    i32 9, label %case9
    i32 10, label %case10
  ]
case0:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case1:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case2:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case3:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case4:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case5:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case6:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case7:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case8:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case9:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case10:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
tail:
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 1, ptr addrspace(1) %p
  store volatile i32 2, ptr addrspace(1) %p
  store volatile i32 3, ptr addrspace(1) %p
  store volatile i32 4, ptr addrspace(1) %p
  store volatile i32 5, ptr addrspace(1) %p
  store volatile i32 6, ptr addrspace(1) %p
  store volatile i32 7, ptr addrspace(1) %p
  store volatile i32 8, ptr addrspace(1) %p
  store volatile i32 9, ptr addrspace(1) %p
  store volatile i32 10, ptr addrspace(1) %p
  store volatile i32 11, ptr addrspace(1) %p
  store volatile i32 12, ptr addrspace(1) %p
  store volatile i32 13, ptr addrspace(1) %p
  store volatile i32 14, ptr addrspace(1) %p
  store volatile i32 15, ptr addrspace(1) %p
  store volatile i32 16, ptr addrspace(1) %p
  store volatile i32 17, ptr addrspace(1) %p
  store volatile i32 18, ptr addrspace(1) %p
  store volatile i32 19, ptr addrspace(1) %p
  store volatile i32 20, ptr addrspace(1) %p
  ret void
}

; Short code is copied into the regions that lead to it.
; CHECK-LABEL: define void @short.item(
; CHECK-NOT: call void @quern.barrier(i32 0, i32 0)
; CHECK: store volatile i32 0,
define spir_kernel void @short(ptr addrspace(1) %p, i32 %n) {
entry:
  switch i32 %n, label %tail [
    i32 0, label %case0
    i32 1, label %case1
    i32 2, label %case2
    i32 3, label %case3
    i32 4, label %case4
    i32 5, label %case5
    i32 6, label %case6
    i32 7, label %case7
    i32 8, label %case8
    i32 9, label %case9
    i32 10, label %case10
  ]
case0:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case1:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case2:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case3:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case4:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case5:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case6:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case7:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case8:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case9:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
case10:
  call spir_func void @_Z7barrierj(i32 1)
  br label %tail
tail:
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

; Where some work-items leave before, no barrier may be.
; CHECK-LABEL: define void @some.item(
; CHECK-NOT: call void @quern.barrier(i32 0, i32 0)
; CHECK: store volatile i32 0,
define spir_kernel void @some(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %low = icmp ult i64 %id, 7
  switch i32 %n, label %tail [
    i32 0, label %case0
    i32 1, label %case1
    i32 2, label %case2
    i32 3, label %case3
    i32 4, label %case4
    i32 5, label %case5
    i32 6, label %case6
    i32 7, label %case7
    i32 8, label %case8
    i32 9, label %case9
    i32 10, label %case10
  ]
case0:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case1:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case2:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case3:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case4:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case5:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case6:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case7:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case8:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case9:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
case10:
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %low, label %tail, label %done
tail:
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 1, ptr addrspace(1) %p
  store volatile i32 2, ptr addrspace(1) %p
  store volatile i32 3, ptr addrspace(1) %p
  store volatile i32 4, ptr addrspace(1) %p
  store volatile i32 5, ptr addrspace(1) %p
  store volatile i32 6, ptr addrspace(1) %p
  store volatile i32 7, ptr addrspace(1) %p
  store volatile i32 8, ptr addrspace(1) %p
  store volatile i32 9, ptr addrspace(1) %p
  store volatile i32 10, ptr addrspace(1) %p
  store volatile i32 11, ptr addrspace(1) %p
  store volatile i32 12, ptr addrspace(1) %p
  store volatile i32 13, ptr addrspace(1) %p
  store volatile i32 14, ptr addrspace(1) %p
  store volatile i32 15, ptr addrspace(1) %p
  store volatile i32 16, ptr addrspace(1) %p
  store volatile i32 17, ptr addrspace(1) %p
  store volatile i32 18, ptr addrspace(1) %p
  store volatile i32 19, ptr addrspace(1) %p
  store volatile i32 20, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

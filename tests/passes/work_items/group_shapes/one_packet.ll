; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,group-shapes
; A kernel with barriers whose groups fit one packet has another form without; only fences for other threads are left of them.

declare spir_func void @_Z7barrierj(i32)
declare spir_func void @_Z18work_group_barrierj12memory_scope(i32, i32)

; CHECK-LABEL: define {{.*}} @fits.item(
; CHECK: call void @quern.barrier(i32 1, i32 1)
; CHECK: call void @quern.barrier(i32 2, i32 2)
define spir_kernel void @fits(ptr addrspace(3) %l) #0 !reqd_work_group_size !0 {
  store i32 1, ptr addrspace(3) %l
  call spir_func void @_Z7barrierj(i32 1)
  store i32 2, ptr addrspace(3) %l
  call spir_func void @_Z18work_group_barrierj12memory_scope(i32 2, i32 2)
  ret void
}

; CHECK-LABEL: define {{.*}} @too_large.item(
; CHECK: call void @quern.barrier(
define spir_kernel void @too_large(ptr addrspace(3) %l) #0 !reqd_work_group_size !1 {
  store i32 1, ptr addrspace(3) %l
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

; CHECK-LABEL: define {{.*}} @fits.item.one_packet(
; CHECK: store i32 1
; CHECK-NEXT: call void @quern.packet.barrier()
; CHECK-NEXT: store i32 2
; CHECK-NEXT: call void @quern.packet.barrier()
; CHECK-NEXT: fence acq_rel
; CHECK-NEXT: ret void
; CHECK-NOT: define

; CHECK: "quern-one-packet"

attributes #0 = { "uniform-work-group-size"="true" }
!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 17, i32 1, i32 1}

; RUN: --passes=prepare-kernels,work-item-bodies,check-barriers
; Each barrier and the end are told, with the size of the work-group.

declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define void @k.item(
; CHECK: call void @quern.check.barrier(ptr @quern.check.site, i64 1, i64 {{%.*}}, i64 1)
; CHECK-NEXT: call void @quern.barrier(i32 1,
; CHECK: call void @quern.check.barrier(ptr {{@quern.check.site.*}}, i64 0, i64 {{%.*}}, i64 0)
; CHECK-NEXT: ret void
define spir_kernel void @k() {
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

; CHECK-LABEL: define void @without.item(
; CHECK-NOT: quern.check.barrier
; CHECK: ret void
define spir_kernel void @without() {
  ret void
}

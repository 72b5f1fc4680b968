; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; LLVM must not take the way through so many regions for the only one to the last.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define {{.*}} @quern.kernel.k(
; CHECK: [[DIMENSIONS:%work.dim]] = load i64
; CHECK: switch i64 [[DIMENSIONS]], label %region.0 [
; CHECK-NEXT: i64 19, label %region.16
; CHECK-NEXT: ]
define spir_kernel void @k(ptr addrspace(1) %out) {
  %lid = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %lid
  store i32 0, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 2, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 3, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 4, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 5, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 6, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 7, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 8, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 9, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 10, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 11, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 12, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 13, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 14, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 15, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 16, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  store i32 17, ptr addrspace(1) %p
  ret void
}

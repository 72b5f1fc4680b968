; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops,optimize --target=x86_64;cpu=x86-64-v3;packets=4
; What lives across a barrier is a value where a work-group is one packet, and lies in the context otherwise.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define void @quern.kernel.one(
; CHECK-NOT: alloca
; CHECK-NOT: ptr %scratch, i64 16
; CHECK: fadd <4 x float>
define spir_kernel void @one(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, ptr addrspace(3) %local) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %g
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(3) %local, i64 %l
  store float %v, ptr addrspace(3) %q
  call spir_func void @_Z7barrierj(i32 1)
  %other = xor i64 %l, 1
  %r = getelementptr float, ptr addrspace(3) %local, i64 %other
  %w = load float, ptr addrspace(3) %r
  %sum = fadd float %v, %w
  %o = getelementptr float, ptr addrspace(1) %out, i64 %g
  store float %sum, ptr addrspace(1) %o
  ret void
}

; CHECK-LABEL: define void @quern.kernel.two(
; CHECK: [[FIELD:%.*]] = getelementptr {{.*}}ptr %scratch, i64 16
; CHECK: %context = load ptr, ptr [[FIELD]]
; CHECK: ret void
define spir_kernel void @two(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, ptr addrspace(3) %local) "uniform-work-group-size"="true" !reqd_work_group_size !1 {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %g
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(3) %local, i64 %l
  store float %v, ptr addrspace(3) %q
  call spir_func void @_Z7barrierj(i32 1)
  %other = xor i64 %l, 1
  %r = getelementptr float, ptr addrspace(3) %local, i64 %other
  %w = load float, ptr addrspace(3) %r
  %sum = fadd float %v, %w
  %o = getelementptr float, ptr addrspace(1) %out, i64 %g
  store float %sum, ptr addrspace(1) %o
  ret void
}

!0 = !{i32 4, i32 1, i32 1}
!1 = !{i32 8, i32 1, i32 1}

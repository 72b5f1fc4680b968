; RUN: --steps=prepare-kernels,work-item-bodies
; The only work-item of a group waits for nobody, has the local id 0, and local variables of its own unless their addresses are
; kept or they are large.

declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
declare spir_func void @_Z18work_group_barrierj12memory_scope(i32, i32)

@small = internal addrspace(3) global [4 x i32] undef
@kept = internal addrspace(3) global i32 undef
@large = internal addrspace(3) global [1000 x i32] undef

; CHECK-LABEL: define void @k.item(
; CHECK: [[SMALL:%.+]] = alloca [4 x i32]
; CHECK: [[KEPT:%.+]] = getelementptr inbounds i8, ptr addrspace(3) %local, i64 {{[0-9]+}}
; CHECK: [[LARGE:%.+]] = getelementptr inbounds i8, ptr addrspace(3) %local, i64 {{[0-9]+}}
; CHECK-NOT: %item.
; CHECK: [[PLACE:%.+]] = getelementptr [4 x i32], ptr [[SMALL]], i64 0, i64 0
; CHECK: store i32 1, ptr [[PLACE]]
; CHECK: store ptr addrspace(3) [[KEPT]], ptr addrspace(1) %p
; CHECK: store i32 2, ptr addrspace(3) [[LARGE]]
; CHECK-NOT: call void @quern.barrier(i32 1
; A wider scope is for others.
; CHECK: call void @quern.barrier(i32 2, i32 2)
; CHECK: store i64 %group.x,
; CHECK: "quern-local-bytes"="4{{[0-9]+}}"
define spir_kernel void @k(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr [4 x i32], ptr addrspace(3) @small, i64 0, i64 %x
  store i32 1, ptr addrspace(3) %q
  store ptr addrspace(3) @kept, ptr addrspace(1) %p
  store i32 2, ptr addrspace(3) @large
  call spir_func void @_Z7barrierj(i32 1)
  call spir_func void @_Z18work_group_barrierj12memory_scope(i32 2, i32 2)
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  store i64 %g, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 1, i32 1, i32 1}

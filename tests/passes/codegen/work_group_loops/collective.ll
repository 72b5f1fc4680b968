; RUN: --target=x86_64;cpu=x86-64-v3;sub-group=8;packets=off --steps=prepare-kernels,work-item-bodies,sub-groups,isolate-barriers,form-regions,work-group-loops
; Results are made between the loops of two regions: at once for the work-group, and for one sub-group after the other.

declare spir_func i32 @__quern_group_item_int_int(ptr addrspace(4), i32)
declare spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4), i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: region.0:
; The sub-group's function begins region 1, the work-group's region 2.
; CHECK: region.1:
; CHECK: br label %sub.group
; CHECK: region.2:
; CHECK: call void @combine(ptr {{%.+}}, ptr {{%.+}}, ptr null, i64 %items, ptr null, i32 1)
; CHECK: sub.group:
; CHECK: %first.item = phi i64 [ 0, %region.1 ]
; CHECK: [[COUNT:%.+]] = call i64 @llvm.umin.i64(i64 {{%.+}}, i64 8)
; CHECK: call void @combine(ptr {{%.+}}, ptr {{%.+}}, ptr null, i64 [[COUNT]], ptr null, i32 0)
define spir_kernel void @k(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %x = trunc i64 %id to i32
  %a = call spir_func i32 @__quern_group_item_int_int(ptr addrspace(4) addrspacecast (ptr @combine to ptr addrspace(4)), i32 %x)
  %b = call spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4) addrspacecast (ptr @combine to ptr addrspace(4)), i32 %a)
  store i32 %b, ptr addrspace(1) %p
  ret void
}

define internal spir_func void @combine(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}

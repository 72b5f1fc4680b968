; RUN: --target=x86_64;cpu=x86-64-v3;sub-group=8 --steps=prepare-kernels,work-item-bodies,sub-groups
; Sub-groups are made of eight work-items with neighbouring linear ids.

declare spir_func i32 @_Z16get_sub_group_idv()
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func i32 @_Z18get_sub_group_sizev()
declare spir_func i32 @_Z18get_num_sub_groupsv()
declare spir_func void @_Z17sub_group_barrierj(i32)
declare spir_func void @_Z17sub_group_barrierj12memory_scope(i32, i32)

; CHECK-LABEL: define void @k.item(
; CHECK: udiv i64 {{%.+}}, 8
; CHECK: urem i64 {{%.+}}, 8
; CHECK: call i64 @llvm.umin.i64(i64 {{%.+}}, i64 8)
; CHECK: add nuw i64 {{%.+}}, 7
; CHECK: udiv i64 {{%.+}}, 8
; CHECK: call void @quern.sub_group_barrier(i32 1, i32 4)
; CHECK: call void @quern.sub_group_barrier(i32 2, i32 2)
; CHECK: "quern-sub-group-size"="8"
define spir_kernel void @k(ptr addrspace(1) %p) {
  %a = call spir_func i32 @_Z16get_sub_group_idv()
  store i32 %a, ptr addrspace(1) %p
  %b = call spir_func i32 @_Z22get_sub_group_local_idv()
  store i32 %b, ptr addrspace(1) %p
  %c = call spir_func i32 @_Z18get_sub_group_sizev()
  store i32 %c, ptr addrspace(1) %p
  %d = call spir_func i32 @_Z18get_num_sub_groupsv()
  store i32 %d, ptr addrspace(1) %p
  call spir_func void @_Z17sub_group_barrierj(i32 1)
  call spir_func void @_Z17sub_group_barrierj12memory_scope(i32 2, i32 2)
  ret void
}

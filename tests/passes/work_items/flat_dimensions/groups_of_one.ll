; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse,instcombine,simplifycfg,sroa<modify-cfg>,early-cse),function(flat-dimensions)
; Where groups have one work-item in a dimension, a kernel that may be cut there as a device likes uses global ids only. In others
; nothing varies in that dimension: a barrier in a loop over the group's rows is reached by all work-items.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func void @_Z7barrierj(i32) #1

; CHECK-LABEL: define {{.*}} @flat.item(
; CHECK: [[ID:%.*]] = add nuw i64 %first.y, %item.y
; CHECK: [[GROUP:%.*]] = sub nuw i64 [[ID]], {{%.*}}
; CHECK: store i64 [[GROUP]]
define spir_kernel void @flat(ptr addrspace(1) %p) !reqd_work_group_size !0 {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %group = call spir_func i64 @_Z12get_group_idj(i32 1)
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %group, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define {{.*}} @meeting.item(
; CHECK: [[ROW:%.*]] = mul i64 %group.y, 3
; CHECK: [[ID:%.*]] = add nuw i64 %first.y, 0
; CHECK: icmp ult i64 [[ROW]], [[ID]]
define spir_kernel void @meeting(ptr addrspace(1) %p) !reqd_work_group_size !0 {
entry:
  %group = call spir_func i64 @_Z12get_group_idj(i32 1)
  %row = mul i64 %group, 3
  %id = call spir_func i64 @_Z13get_global_idj(i32 1)
  %meets = icmp ult i64 %row, %id
  br i1 %meets, label %meet, label %end
meet:
  call spir_func void @_Z7barrierj(i32 1) #1
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %x
  store i64 %group, ptr addrspace(1) %q
  br label %end
end:
  ret void
}

; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="6" "quern-kernel"="flat"

attributes #1 = { convergent }
!0 = !{i32 32, i32 1, i32 1}

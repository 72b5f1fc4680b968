; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse,instcombine,simplifycfg,sroa<modify-cfg>,early-cse),function(flat-dimensions)
; Where all groups are full, group id * local size + local id is the global id without its offset.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i64 @_Z12get_group_idj(i32)

; CHECK-LABEL: define {{.*}} @full.item(
; CHECK: [[ID:%.*]] = add nuw i64 %first.y, %item.y
; CHECK: [[RELATIVE:%.*]] = sub nuw i64 [[ID]], {{%.*}}
; CHECK: store i64 [[RELATIVE]]
define spir_kernel void @full(ptr addrspace(1) %p) #0 {
  %group = call spir_func i64 @_Z12get_group_idj(i32 1)
  %size = call spir_func i64 @_Z14get_local_sizej(i32 1)
  %start = mul i64 %group, %size
  %local = call spir_func i64 @_Z12get_local_idj(i32 1)
  %id = add i64 %start, %local
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}} @narrow.item(
; CHECK: [[ID:%.*]] = add nuw i64 %first.x, %item.x
; CHECK: [[RELATIVE:%.*]] = sub nuw i64 [[ID]], {{%.*}}
; CHECK: [[INT:%.*]] = trunc i64 [[RELATIVE]] to i32
; CHECK: store i32 [[INT]]
define spir_kernel void @narrow(ptr addrspace(1) %p) #0 {
  %group = call spir_func i64 @_Z12get_group_idj(i32 0)
  %group32 = trunc i64 %group to i32
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %size32 = trunc i64 %size to i32
  %start = mul i32 %size32, %group32
  %local = call spir_func i64 @_Z12get_local_idj(i32 0)
  %local32 = trunc i64 %local to i32
  %id = add i32 %local32, %start
  store i32 %id, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}} @required.item(
; CHECK: sub nuw i64
define spir_kernel void @required(ptr addrspace(1) %p) #0 !reqd_work_group_size !0 {
  %group = call spir_func i64 @_Z12get_group_idj(i32 0)
  %start = mul i64 %group, 32
  %local = call spir_func i64 @_Z12get_local_idj(i32 0)
  %id = add i64 %start, %local
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; Not with another number than the size.
; CHECK-LABEL: define {{.*}} @other.item(
; CHECK: shl {{.*}}%group.x, 4
define spir_kernel void @other(ptr addrspace(1) %p) #0 !reqd_work_group_size !0 {
  %group = call spir_func i64 @_Z12get_group_idj(i32 0)
  %start = mul i64 %group, 16
  %local = call spir_func i64 @_Z12get_local_idj(i32 0)
  %id = add i64 %start, %local
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; The last group may be smaller.
; CHECK-LABEL: define {{.*}} @not_full.item(
; CHECK: mul i64 %group.x, %size.x
define spir_kernel void @not_full(ptr addrspace(1) %p) {
  %group = call spir_func i64 @_Z12get_group_idj(i32 0)
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %start = mul i64 %group, %size
  %local = call spir_func i64 @_Z12get_local_idj(i32 0)
  %id = add i64 %start, %local
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="7" "quern-kernel"="full"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="7" "quern-kernel"="narrow"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="7" "quern-kernel"="required"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="6" "quern-kernel"="other"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="6" "quern-kernel"="not_full"

attributes #0 = { "uniform-work-group-size"="true" }
!0 = !{i32 32, i32 1, i32 1}

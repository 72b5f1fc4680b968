; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,flat-dimensions,group-shapes
; Rows of a quarter of a packet of 16 work-items, and shorter ones, come together in one that fills packets.

declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define {{.*}} @quarter.item(
; CHECK-DAG: [[X:%.*]] = and i64 %item.x, 3
; CHECK-DAG: [[ROW:%.*]] = lshr i64 %item.x, 2
; CHECK-DAG: [[FIRST:%.*]] = mul nuw i64 %item.y, 4
; CHECK-DAG: [[Y:%.*]] = add nuw i64 [[FIRST]], [[ROW]]
; CHECK: call void @keep(i64 [[X]], i64 [[Y]], i64 0)
define spir_kernel void @quarter(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 !reqd_work_group_size !0 {
  call void @ids(ptr addrspace(1) %p)
  ret void
}

; Packets reach into the second and the third dimension.
; CHECK-LABEL: define {{.*}} @cube.item(
; CHECK-DAG: [[X:%.*]] = and i64 %item.x, 1
; CHECK-DAG: [[ROW:%.*]] = lshr i64 %item.x, 1
; CHECK-DAG: [[Y:%.*]] = and i64 [[ROW]], 1
; CHECK-DAG: [[PLANE:%.*]] = lshr i64 [[ROW]], 1
; CHECK-DAG: [[FIRST:%.*]] = mul nuw i64 %item.y, 4
; CHECK-DAG: [[Z:%.*]] = add nuw i64 [[FIRST]], [[PLANE]]
; CHECK: call void @keep(i64 [[X]], i64 [[Y]], i64 [[Z]])
define spir_kernel void @cube(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 !reqd_work_group_size !1 {
  call void @ids(ptr addrspace(1) %p)
  ret void
}

; The second dimension takes the place of the first, which has one work-item.
; CHECK-LABEL: define {{.*}} @column.item(
; CHECK: call void @keep(i64 0, i64 %item.x, i64 0)
define spir_kernel void @column(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 !reqd_work_group_size !2 {
  call void @ids(ptr addrspace(1) %p)
  ret void
}

; Any row does where one packet holds the group.
; CHECK-LABEL: define {{.*}} @small.item(
; CHECK-DAG: [[X:%.*]] = urem i64 %item.x, 3
; CHECK-DAG: [[Y:%.*]] = udiv i64 %item.x, 3
; CHECK: call void @keep(i64 [[X]], i64 [[Y]], i64 0)
define spir_kernel void @small(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 !reqd_work_group_size !3 {
  call void @ids(ptr addrspace(1) %p)
  ret void
}

; Half a packet is better run as a narrower one; so are numbers of rows that share no factor with a packet's, other
; than in one long row.
; CHECK-LABEL: define {{.*}} @half.item(
; CHECK: call void @keep(i64 %item.x, i64 %item.y, i64 0)
define spir_kernel void @half(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 !reqd_work_group_size !4 {
  call void @ids(ptr addrspace(1) %p)
  ret void
}

; CHECK-LABEL: define {{.*}} @nine_rows.item(
; CHECK-DAG: [[X:%.*]] = and i64 %item.x, 3
; CHECK-DAG: [[Y:%.*]] = lshr i64 %item.x, 2
; CHECK: call void @keep(i64 [[X]], i64 [[Y]], i64 0)
define spir_kernel void @nine_rows(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 !reqd_work_group_size !5 {
  call void @ids(ptr addrspace(1) %p)
  ret void
}

; The last group may be smaller.
; CHECK-LABEL: define {{.*}} @not_full.item(
; CHECK: call void @keep(i64 %item.x, i64 %item.y, i64 0)
define spir_kernel void @not_full(ptr addrspace(1) %p, ptr addrspace(3) %l) !reqd_work_group_size !0 {
  call void @ids(ptr addrspace(1) %p)
  ret void
}

define internal void @ids(ptr addrspace(1) %p) alwaysinline {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %z = call spir_func i64 @_Z12get_local_idj(i32 2)
  call void @keep(i64 %x, i64 %y, i64 %z)
  ret void
}
declare void @keep(i64, i64, i64)

; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-group-shape"="16,4,1" "quern-kernel"="quarter" {{.*}}"quern-short-row"="4"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-group-shape"="16,2,1" "quern-kernel"="cube" {{.*}}"quern-short-row"="2"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-group-shape"="40,1,1" "quern-kernel"="column"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-group-shape"="9,1,1" "quern-kernel"="small" {{.*}}"quern-short-row"="3"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-group-shape"="36,1,1" "quern-kernel"="nine_rows" {{.*}}"quern-short-row"="4"

attributes #0 = { "uniform-work-group-size"="true" }
!0 = !{i32 4, i32 16, i32 1}
!1 = !{i32 2, i32 2, i32 8}
!2 = !{i32 1, i32 40, i32 1}
!3 = !{i32 3, i32 3, i32 1}
!4 = !{i32 8, i32 8, i32 1}
!5 = !{i32 4, i32 9, i32 1}

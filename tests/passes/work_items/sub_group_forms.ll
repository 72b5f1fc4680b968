; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),sub-group-forms --target=x86_64;cpu=x86-64-v3;sub-group=8
; A kernel whose sub-groups meet gets a second form, in which a sub-group is a packet: what it does together stays an operation.

declare spir_func i32 @_Z16get_sub_group_idv()
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func i32 @_Z18get_sub_group_sizev()
declare spir_func void @_Z17sub_group_barrierj(i32)
declare spir_func void @_Z17sub_group_barrierj12memory_scope(i32, i32)
declare spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4), i32)

; CHECK-LABEL: define void @k.item(
; CHECK: urem i64 {{%.+}}, 8
; CHECK: udiv i64 {{%.+}}, 8
; CHECK: [[ITEMS:%.+]] = mul nuw i64 {{%.+}}, %size.z
; CHECK: [[REST:%.+]] = sub nuw i64 [[ITEMS]], {{%.+}}
; CHECK: call i64 @llvm.umin.i64(i64 [[REST]], i64 8)
; CHECK: call void @quern.sub_group_barrier(i32 1, i32 4)
; CHECK: call void @quern.collective.sub_group(ptr @any_of,
; CHECK: call void @quern.sub_group_barrier(i32 2, i32 2)
define spir_kernel void @k(ptr addrspace(1) %p, i32 %x) {
  %a = call spir_func i32 @_Z22get_sub_group_local_idv()
  store volatile i32 %a, ptr addrspace(1) %p
  %b = call spir_func i32 @_Z16get_sub_group_idv()
  store volatile i32 %b, ptr addrspace(1) %p
  %c = call spir_func i32 @_Z18get_sub_group_sizev()
  store volatile i32 %c, ptr addrspace(1) %p
  call spir_func void @_Z17sub_group_barrierj(i32 1)
  %d = call i32 @__quern_sub_group_int_int(ptr addrspace(4) addrspacecast (ptr @any_of to ptr addrspace(4)), i32 %x)
  store volatile i32 %d, ptr addrspace(1) %p
  call spir_func void @_Z17sub_group_barrierj12memory_scope(i32 2, i32 2)
  ret void
}

; Ids alone are no reason for one.
; CHECK-LABEL: define void @ids.item(
; CHECK: urem i64 {{%.+}}, 8
; CHECK-NOT: @ids.item.sub_groups
define spir_kernel void @ids(ptr addrspace(1) %p) {
  %a = call spir_func i32 @_Z22get_sub_group_local_idv()
  store i32 %a, ptr addrspace(1) %p
  ret void
}

; What gives each work-item the value that it has is removed: of an argument, of the number of the sub-group, and of the id in the
; second dimension where no row ends inside a sub-group. A local id differs.
declare spir_func i32 @__quern_sub_group_uint_uint(ptr addrspace(4), i32)
declare spir_func i64 @_Z12get_local_idj(i32)
; CHECK-LABEL: define void @idle.item(
; CHECK: store volatile i32 %x
; CHECK: [[ID:%.+]] = udiv i64 {{%.+}}, 8
; CHECK: [[ID32:%.+]] = trunc i64 [[ID]] to i32
; CHECK: store volatile i32 [[ID32]]
; CHECK-COUNT-2: call void @quern.collective.sub_group(ptr @first_uint,
; CHECK-NOT: call void @quern.collective.sub_group
; CHECK: ret void
define spir_kernel void @idle(ptr addrspace(1) %p, i32 %x) {
  %a = call i32 @__quern_sub_group_uint_uint(ptr addrspace(4) addrspacecast (ptr @first_uint to ptr addrspace(4)), i32 %x)
  store volatile i32 %a, ptr addrspace(1) %p
  %number = call spir_func i32 @_Z16get_sub_group_idv()
  %b = call i32 @__quern_sub_group_uint_uint(ptr addrspace(4) addrspacecast (ptr @first_uint to ptr addrspace(4)), i32 %number)
  store volatile i32 %b, ptr addrspace(1) %p
  %row = call spir_func i64 @_Z12get_local_idj(i32 1)
  %row32 = trunc i64 %row to i32
  %c = call i32 @__quern_sub_group_uint_uint(ptr addrspace(4) addrspacecast (ptr @first_uint to ptr addrspace(4)), i32 %row32)
  store volatile i32 %c, ptr addrspace(1) %p
  %column = call spir_func i64 @_Z12get_local_idj(i32 0)
  %column32 = trunc i64 %column to i32
  %d = call i32 @__quern_sub_group_uint_uint(ptr addrspace(4) addrspacecast (ptr @first_uint to ptr addrspace(4)), i32 %column32)
  store volatile i32 %d, ptr addrspace(1) %p
  ret void
}

; Vectors are one meeting, but an operation for each element where sub-groups are packets. Places are taken modulo the size.
declare spir_func <2 x i32> @__quern_sub_group_uint2_uint2_uint(ptr addrspace(4), <2 x i32>, i32)
; CHECK-LABEL: define void @vectors.item(
; CHECK: and i32 {{%.+}}, 7
; CHECK-COUNT-1: call void @quern.collective.sub_group(ptr @pick_uint2,
; CHECK-NOT: call void @quern.collective.sub_group
; CHECK: ret void
define spir_kernel void @vectors(ptr addrspace(1) %p, <2 x i32> %x) {
  %place = load i32, ptr addrspace(1) %p
  %v = call spir_func <2 x i32> @__quern_sub_group_uint2_uint2_uint(ptr addrspace(4) addrspacecast (ptr @pick_uint2 to ptr addrspace(4)), <2 x i32> %x, i32 %place)
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %id32 = trunc i64 %id to i32
  %y = insertelement <2 x i32> %v, i32 %id32, i32 0
  %w = call spir_func <2 x i32> @__quern_sub_group_uint2_uint2_uint(ptr addrspace(4) addrspacecast (ptr @pick_uint2 to ptr addrspace(4)), <2 x i32> %y, i32 9)
  store <2 x i32> %w, ptr addrspace(1) %p
  ret void
}

define internal spir_func void @pick_uint2(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i32 0, ptr %results
  ret void
}

define internal spir_func void @first_uint(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i32 0, ptr %results
  ret void
}

; Where the size of groups is known, the form counts their work-items so that no row ends inside a sub-group: two rows of four in one,
; and a column as a row. The general form counts as the program does.
; CHECK-LABEL: define void @rows.item(
; CHECK: store volatile i64 %item.x,
; CHECK: store volatile i64 %item.y,
; CHECK: call void @quern.collective.sub_group(ptr @any_of,
define spir_kernel void @rows(ptr addrspace(1) %p, i32 %x) !reqd_work_group_size !0 {
  %column = call spir_func i64 @_Z12get_local_idj(i32 0)
  store volatile i64 %column, ptr addrspace(1) %p
  %row = call spir_func i64 @_Z12get_local_idj(i32 1)
  store volatile i64 %row, ptr addrspace(1) %p
  %v = call i32 @__quern_sub_group_int_int(ptr addrspace(4) addrspacecast (ptr @any_of to ptr addrspace(4)), i32 %x)
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @columns.item(
; CHECK: store volatile i64 %item.y,
; CHECK: call void @quern.collective.sub_group(ptr @any_of,
define spir_kernel void @columns(ptr addrspace(1) %p, i32 %x) !reqd_work_group_size !1 {
  %row = call spir_func i64 @_Z12get_local_idj(i32 1)
  store volatile i64 %row, ptr addrspace(1) %p
  %v = call i32 @__quern_sub_group_int_int(ptr addrspace(4) addrspacecast (ptr @any_of to ptr addrspace(4)), i32 %x)
  store i32 %v, ptr addrspace(1) %p
  ret void
}

define internal spir_func void @any_of(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i32 0, ptr %results
  ret void
}

; CHECK-LABEL: define void @k.item.sub_groups(
; CHECK: and i64 %item.x, 7
; CHECK: [[ROW:%.+]] = add nuw i64 {{%.+}}, %item.y
; CHECK: [[START:%.+]] = mul nuw i64 [[ROW]], %size.x
; CHECK: lshr i64 [[START]], 3
; CHECK: shl i64 {{%.+}}, 3
; CHECK: sub nuw i64 %size.x,
; CHECK: call void @quern.packet.barrier()
; CHECK: call i32 @__quern_sub_group_int_int(
; CHECK: call void @quern.packet.barrier()
; CHECK-NEXT: fence acq_rel
; CHECK-NOT: quern.sub_group_barrier(
; CHECK-LABEL: define void @idle.item.sub_groups(
; CHECK: store volatile i32 %x
; CHECK: trunc i64 %item.y to i32
; CHECK: call i32 @__quern_sub_group_uint_uint(
; CHECK-NOT: call i32 @__quern_sub_group_uint_uint(
; CHECK-LABEL: define void @vectors.item.sub_groups(
; CHECK: [[FIRST:%.+]] = extractelement <2 x i32> [[Y:%.+]], i64 0
; CHECK: call i32 @__quern_sub_group_uint2_uint2_uint.element(ptr addrspace(4) {{.+}}, i32 [[FIRST]], i32 1)
; CHECK: [[SECOND:%.+]] = extractelement <2 x i32> [[Y]], i64 1
; CHECK: call i32 @__quern_sub_group_uint2_uint2_uint.element(ptr addrspace(4) {{.+}}, i32 [[SECOND]], i32 1)
; CHECK: define void @rows.item.sub_groups({{.*}} [[ROWS:#[0-9]+]] {{.*}}{
; CHECK: [[COLUMN:%.+]] = and i64 %item.x, 3
; CHECK: [[IN_ROW:%.+]] = lshr i64 %item.x, 2
; CHECK: [[TWO:%.+]] = mul nuw i64 %item.y, 2
; CHECK: [[ROW:%.+]] = add nuw i64 [[TWO]], [[IN_ROW]]
; CHECK: store volatile i64 [[COLUMN]],
; CHECK: store volatile i64 [[ROW]],
; CHECK: call i32 @__quern_sub_group_int_int(
; CHECK: define void @columns.item.sub_groups({{.*}} [[COLUMNS:#[0-9]+]] {{.*}}{
; CHECK: store volatile i64 %item.x,
; CHECK: call i32 @__quern_sub_group_int_int(
; CHECK-DAG: attributes [[ROWS]] = {{.*}}"quern-group-shape"="8,2,1"{{.*}}"quern-sub-groups-are-packets"{{.*}}"uniform-work-group-size"="true"
; CHECK-DAG: attributes [[COLUMNS]] = {{.*}}"quern-group-shape"="8,1,1"{{.*}}"quern-sub-groups-are-packets"{{.*}}"uniform-work-group-size"="true"

!0 = !{i32 4, i32 4, i32 1}
!1 = !{i32 1, i32 8, i32 1}

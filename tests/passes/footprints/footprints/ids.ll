; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(footprints)
; Places that are made of ids, under the conditions of the branches that lead there.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @guarded.item(
; CHECK-SAME: #[[GUARDED:[0-9]+]]
define spir_kernel void @guarded(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %count) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %gid to i32
  %inside = icmp slt i32 %i, %count
  br i1 %inside, label %work, label %done

work:
  %index = sext i32 %i to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float %value, ptr addrspace(1) %to
  br label %done

done:
  ret void
}

; One work-item of each group writes, at a place of the group.
; CHECK-LABEL: define void @group_result.item(
; CHECK-SAME: #[[GROUP:[0-9]+]]
define spir_kernel void @group_result(ptr addrspace(1) %out) {
entry:
  %lid = call spir_func i64 @_Z12get_local_idj(i32 0)
  %first = icmp eq i64 %lid, 0
  br i1 %first, label %work, label %done

work:
  %group = call spir_func i64 @_Z12get_group_idj(i32 0)
  %to = getelementptr i64, ptr addrspace(1) %out, i64 %group
  store i64 1, ptr addrspace(1) %to
  br label %done

done:
  ret void
}

; What is stored where something else was read, and a place that memory says.
; CHECK-LABEL: define void @scattered.item(
; CHECK-SAME: #[[SCATTERED:[0-9]+]]
define spir_kernel void @scattered(ptr addrspace(1) %places, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 1)
  %from = getelementptr i32, ptr addrspace(1) %places, i64 %gid
  %place = load i32, ptr addrspace(1) %from
  %index = zext i32 %place to i64
  %to = getelementptr i8, ptr addrspace(1) %out, i64 %index
  store i8 0, ptr addrspace(1) %to
  ret void
}

; The row and the column of a number make the number again.
; CHECK-LABEL: define void @row_and_column.item(
; CHECK-SAME: #[[ROWS:[0-9]+]]
define spir_kernel void @row_and_column(ptr addrspace(1) %out, i64 %width) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = udiv i64 %gid, %width
  %column = urem i64 %gid, %width
  %begin = mul i64 %row, %width
  %index = add i64 %begin, %column
  %to = getelementptr i16, ptr addrspace(1) %out, i64 %index
  store i16 0, ptr addrspace(1) %to
  ret void
}

; CHECK: attributes #[[GUARDED]] = {{.*}}"quern-footprint"="none;
; CHECK-SAME: read 0 4 first.0 item.0 add trunc/32 arg.2/32 const.-1/32 add/32 at-most/32 drop first.0 item.0 add trunc/32 arg.2/32 const.-1/32 add/32 at-most/32 const.4 mul;
; CHECK-SAME: write 1 4 first.0 item.0 add trunc/32 arg.2/32 const.-1/32 add/32 at-most/32 drop first.0 item.0 add trunc/32 arg.2/32 const.-1/32 add/32 at-most/32 const.4 mul"
; CHECK: attributes #[[GROUP]] = {{.*}}"quern-footprint"="none; write 0 8 item.0 const.0 at-most const.0 at-least drop group.0 const.8 mul"
; CHECK: attributes #[[SCATTERED]] = {{.*}}"quern-footprint"="none; read 0 4 first.1 item.1 add const.4 mul; write 1 1 any/32 zext.32 const.1 mul"
; CHECK: attributes #[[ROWS]] = {{.*}}"quern-footprint"="none; write 0 2 first.0 item.0 add const.2 mul"

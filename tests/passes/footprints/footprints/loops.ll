; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(footprints)
; Counters of loops are bounded by how often the loop runs.

declare spir_func i64 @_Z13get_global_idj(i32)

; A row of a matrix.
; CHECK-LABEL: define void @row_sum.item(
; CHECK-SAME: #[[ROW:[0-9]+]]
define spir_kernel void @row_sum(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %width) {
entry:
  %row = call spir_func i64 @_Z13get_global_idj(i32 0)
  %begin = mul i64 %row, %width
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %index = add i64 %begin, %i
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %index
  %value = load i32, ptr addrspace(1) %from
  %more = add i32 %sum, %value
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %width
  br i1 %again, label %loop, label %done

done:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %row
  store i32 %more, ptr addrspace(1) %to
  ret void
}

; A pointer that moves on; how far, nobody knows.
; CHECK-LABEL: define void @list.item(
; CHECK-SAME: #[[LIST:[0-9]+]]
define spir_kernel void @list(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  br label %loop

loop:
  %place = phi ptr addrspace(1) [ %in, %entry ], [ %next, %loop ]
  %value = load i8, ptr addrspace(1) %place
  %next = getelementptr i8, ptr addrspace(1) %place, i64 1
  %again = icmp ne i8 %value, 0
  br i1 %again, label %loop, label %done

done:
  store i8 1, ptr addrspace(1) %out
  ret void
}

; CHECK: attributes #[[ROW]] = {{.*}}"quern-footprint"="none; read 0 4 {{.*}}first.0 item.0 add arg.2 mul const.0 const.1 {{.*}}up-to mul add {{.*}}add const.4 mul; write 1 4 {{.*}}first.0 item.0 add const.4 mul"
; CHECK: attributes #[[LIST]] = {{.*}}"quern-footprint"="none; read 0 1 any; write 1 1 const.0"

; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops,optimize --target=x86_64;cpu=x86-64-v4;packets=auto
; Loops over lists that point elsewhere fetch what they read of the list before they need it.

declare spir_func i64 @_Z13get_global_idj(i32)

; A row of a sparse matrix, behind that of the work-item before. Every fourth of the eight copies of the body fetches; the
; iterations that they leave do not.
; CHECK-LABEL: define void @quern.kernel.row(
; CHECK-NOT: llvm.prefetch
; CHECK: icmp ugt i64 %{{.*}}, -8
; CHECK-NOT: llvm.prefetch
; CHECK: [[COLUMN:%.*]] = getelementptr inbounds i32, ptr addrspace(1) %columns, i64 [[I:%.*]]
; CHECK-NEXT: [[AHEAD:%.*]] = getelementptr i8, ptr addrspace(1) [[COLUMN]], i64 2048
; CHECK-NEXT: call void @llvm.prefetch.p1(ptr addrspace(1) [[AHEAD]], i32 0, i32 3, i32 1)
; CHECK: [[VALUE:%.*]] = getelementptr inbounds float, ptr addrspace(1) %values, i64 [[I]]
; CHECK-NEXT: [[AHEAD:%.*]] = getelementptr i8, ptr addrspace(1) [[VALUE]], i64 2048
; CHECK-NEXT: call void @llvm.prefetch.p1(ptr addrspace(1) [[AHEAD]], i32 0, i32 3, i32 1)
; CHECK-NOT: llvm.prefetch
; CHECK: [[I4:%.*]] = add nsw i64 [[I]], 4
; CHECK-NEXT: [[COLUMN:%.*]] = getelementptr inbounds i32, ptr addrspace(1) %columns, i64 [[I4]]
; CHECK-NEXT: getelementptr i8, ptr addrspace(1) [[COLUMN]], i64 2048
; CHECK-NEXT: call void @llvm.prefetch.p1(
; CHECK: call void @llvm.prefetch.p1(
; CHECK-NOT: llvm.prefetch
; CHECK-LABEL: define void @quern.kernel.apart(
define spir_kernel void @row(ptr addrspace(1) noalias %starts, ptr addrspace(1) noalias %columns,
                             ptr addrspace(1) noalias %values, ptr addrspace(1) noalias %vector,
                             ptr addrspace(1) noalias %result) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start.place = getelementptr i32, ptr addrspace(1) %starts, i64 %gid
  %start = load i32, ptr addrspace(1) %start.place
  %end.place = getelementptr i32, ptr addrspace(1) %start.place, i64 1
  %end = load i32, ptr addrspace(1) %end.place
  %any = icmp slt i32 %start, %end
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = sext i32 %i to i64
  %column.place = getelementptr inbounds i32, ptr addrspace(1) %columns, i64 %index
  %column = load i32, ptr addrspace(1) %column.place
  %value.place = getelementptr inbounds float, ptr addrspace(1) %values, i64 %index
  %value = load float, ptr addrspace(1) %value.place
  %where = sext i32 %column to i64
  %element.place = getelementptr inbounds float, ptr addrspace(1) %vector, i64 %where
  %element = load float, ptr addrspace(1) %element.place
  %more = call float @llvm.fmuladd.f32(float %value, float %element, float %sum)
  %next = add nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %end
  br i1 %goes.on, label %loop, label %done

done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %result.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  store float %all, ptr addrspace(1) %result.place
  ret void
}

; Rows of one length, most of which may be empty: what follows a row is not needed.
; CHECK-NOT: call void @llvm.prefetch
; CHECK-LABEL: define void @quern.kernel.permuted(
define spir_kernel void @apart(ptr addrspace(1) noalias %starts, ptr addrspace(1) noalias %columns,
                             ptr addrspace(1) noalias %values, ptr addrspace(1) noalias %vector,
                             ptr addrspace(1) noalias %result) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start.place = getelementptr i32, ptr addrspace(1) %starts, i64 %gid
  %row = trunc i64 %gid to i32
  %start = mul nsw i32 %row, 1000
  %end.place = getelementptr i32, ptr addrspace(1) %start.place, i64 1
  %length = load i32, ptr addrspace(1) %end.place
  %end = add nsw i32 %start, %length
  %any = icmp slt i32 %start, %end
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = sext i32 %i to i64
  %column.place = getelementptr inbounds i32, ptr addrspace(1) %columns, i64 %index
  %column = load i32, ptr addrspace(1) %column.place
  %value.place = getelementptr inbounds float, ptr addrspace(1) %values, i64 %index
  %value = load float, ptr addrspace(1) %value.place
  %where = sext i32 %column to i64
  %element.place = getelementptr inbounds float, ptr addrspace(1) %vector, i64 %where
  %element = load float, ptr addrspace(1) %element.place
  %more = call float @llvm.fmuladd.f32(float %value, float %element, float %sum)
  %next = add nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %end
  br i1 %goes.on, label %loop, label %done

done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %result.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  store float %all, ptr addrspace(1) %result.place
  ret void
}

; Rows in any order: the next work-item reads elsewhere.
; CHECK-NOT: call void @llvm.prefetch
; CHECK-LABEL: define void @quern.kernel.sums(
define spir_kernel void @permuted(ptr addrspace(1) noalias %starts, ptr addrspace(1) noalias %columns,
                             ptr addrspace(1) noalias %values, ptr addrspace(1) noalias %vector,
                             ptr addrspace(1) noalias %result) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %order.place = getelementptr i64, ptr addrspace(1) %result, i64 %gid
  %order = load i64, ptr addrspace(1) %order.place
  %start.place = getelementptr i32, ptr addrspace(1) %starts, i64 %order
  %start = load i32, ptr addrspace(1) %start.place
  %end.place = getelementptr i32, ptr addrspace(1) %start.place, i64 1
  %end = load i32, ptr addrspace(1) %end.place
  %any = icmp slt i32 %start, %end
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = sext i32 %i to i64
  %column.place = getelementptr inbounds i32, ptr addrspace(1) %columns, i64 %index
  %column = load i32, ptr addrspace(1) %column.place
  %value.place = getelementptr inbounds float, ptr addrspace(1) %values, i64 %index
  %value = load float, ptr addrspace(1) %value.place
  %where = sext i32 %column to i64
  %element.place = getelementptr inbounds float, ptr addrspace(1) %vector, i64 %where
  %element = load float, ptr addrspace(1) %element.place
  %more = call float @llvm.fmuladd.f32(float %value, float %element, float %sum)
  %next = add nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %end
  br i1 %goes.on, label %loop, label %done

done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %result.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  store float %all, ptr addrspace(1) %result.place
  ret void
}

; A list that points nowhere, which processors fetch by themselves.
; CHECK-NOT: call void @llvm.prefetch
define spir_kernel void @sums(ptr addrspace(1) noalias %starts, ptr addrspace(1) noalias %columns,
                             ptr addrspace(1) noalias %values, ptr addrspace(1) noalias %vector,
                             ptr addrspace(1) noalias %result) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start.place = getelementptr i32, ptr addrspace(1) %starts, i64 %gid
  %start = load i32, ptr addrspace(1) %start.place
  %end.place = getelementptr i32, ptr addrspace(1) %start.place, i64 1
  %end = load i32, ptr addrspace(1) %end.place
  %any = icmp slt i32 %start, %end
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = sext i32 %i to i64
  %column.place = getelementptr inbounds i32, ptr addrspace(1) %columns, i64 %index
  %column = load i32, ptr addrspace(1) %column.place
  %value.place = getelementptr inbounds float, ptr addrspace(1) %values, i64 %index
  %value = load float, ptr addrspace(1) %value.place
  %element = sitofp i32 %column to float
  %more = call float @llvm.fmuladd.f32(float %value, float %element, float %sum)
  %next = add nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %end
  br i1 %goes.on, label %loop, label %done

done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %result.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  store float %all, ptr addrspace(1) %result.place
  ret void
}

; As long as a number says that is read in order, but not where it says: rows of a table.
; CHECK-LABEL: define void @quern.kernel.table(
; CHECK-NOT: call void @llvm.prefetch
define spir_kernel void @table(ptr addrspace(1) noalias %lengths, ptr addrspace(1) noalias %columns,
                               ptr addrspace(1) noalias %vector, ptr addrspace(1) noalias %result,
                               i64 %pitch) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %length.place = getelementptr i32, ptr addrspace(1) %lengths, i64 %gid
  %length = load i32, ptr addrspace(1) %length.place
  %row = mul i64 %gid, %pitch
  %any = icmp sgt i32 %length, 0
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %i.wide = zext nneg i32 %i to i64
  %index = add i64 %row, %i.wide
  %column.place = getelementptr inbounds i32, ptr addrspace(1) %columns, i64 %index
  %column = load i32, ptr addrspace(1) %column.place
  %where = sext i32 %column to i64
  %element.place = getelementptr inbounds float, ptr addrspace(1) %vector, i64 %where
  %element = load float, ptr addrspace(1) %element.place
  %more = fadd float %element, %sum
  %next = add nuw nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %length
  br i1 %goes.on, label %loop, label %done

done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %result.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  store float %all, ptr addrspace(1) %result.place
  ret void
}

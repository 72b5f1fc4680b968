; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,flat-dimensions,group-shapes
; What counts work-items itself, as the check of races, counts by the program's rows, not by those that they come together in.

declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define {{.*}} @pairs.item(
; CHECK-DAG: [[X:%.*]] = and i64 %item.x, 1
; CHECK-DAG: [[ROW:%.*]] = lshr i64 %item.x, 1
; CHECK-DAG: [[FIRST:%.*]] = mul nuw i64 %item.y, 4
; CHECK-DAG: [[Y:%.*]] = add nuw i64 [[FIRST]], [[ROW]]
; CHECK: [[ROWS:%.*]] = trunc i64 16 to i32
; CHECK-NEXT: [[ABOVE:%.*]] = mul i32 {{.*}}, [[ROWS]]
; CHECK-NEXT: [[OWN_ROW:%.*]] = trunc i64 [[Y]] to i32
; CHECK-NEXT: [[BEFORE:%.*]] = add i32 [[ABOVE]], [[OWN_ROW]]
; CHECK-NEXT: [[LENGTH:%.*]] = trunc i64 2 to i32
; CHECK-NEXT: [[START:%.*]] = mul i32 [[BEFORE]], [[LENGTH]]
; CHECK-NEXT: [[PLACE:%.*]] = trunc i64 [[X]] to i32
; CHECK-NEXT: [[NUMBER:%.*]] = add i32 [[START]], [[PLACE]]
; CHECK-NEXT: %token.item = shl i32 [[NUMBER]], 2
; CHECK-NOT: %size
define spir_kernel void @pairs(ptr addrspace(3) %l) #0 !reqd_work_group_size !0 !kernel_arg_name !1 {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr float, ptr addrspace(3) %l, i64 %x
  store float 1.0, ptr addrspace(3) %p
  ret void
}

; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-group-shape"="8,4,1" "quern-kernel"="pairs" {{.*}}"quern-short-row"="2"

attributes #0 = { "uniform-work-group-size"="true" }
!0 = !{i32 2, i32 16, i32 1}
!1 = !{!"l"}
!quern.checks = !{!2}
!2 = !{!"races"}

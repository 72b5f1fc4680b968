; RUN: --steps=prepare-kernels,mark-callees,inline-callees
; Functions that call each other pass on what one of them needs.
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)

; CHECK-LABEL: define void @k(
; CHECK-DAG: [[ID:%.*]] = call i64 @_Z12get_local_idj(i32 0)
; CHECK-DAG: [[GROUP:%.*]] = call i64 @_Z12get_group_idj(i32 1)
; CHECK: call i64 @even(i64 %n
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {
  %sum = call spir_func i64 @even(i64 %n)
  store i64 %sum, ptr addrspace(1) %p
  ret void
}

; CHECK-NOT: call i64 @_Z1
; CHECK-LABEL: define internal i64 @even(i64 %n
; CHECK-DAG: i64 [[ID:%_Z12get_local_idj[0-9]*]]
; CHECK-DAG: i64 [[GROUP:%_Z12get_group_idj[0-9]*]]
; CHECK-NOT: call i64 @_Z1
; CHECK: call i64 @odd(i64 %less, i64
; CHECK: add i64 %below, [[ID]]
define spir_func i64 @even(i64 %n) {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %done, label %more
more:
  %less = sub i64 %n, 1
  %below = call spir_func i64 @odd(i64 %less)
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %sum = add i64 %below, %id
  ret i64 %sum
done:
  ret i64 0
}

; CHECK-LABEL: define internal i64 @odd(i64 %n
; CHECK-DAG: i64 [[ID:%_Z12get_local_idj[0-9]*]]
; CHECK-DAG: i64 [[GROUP:%_Z12get_group_idj[0-9]*]]
; CHECK-NOT: call i64 @_Z1
; CHECK: call i64 @even(i64 %less, i64
; CHECK: add i64 %below, [[GROUP]]
define spir_func i64 @odd(i64 %n) {
  %less = sub i64 %n, 1
  %below = call spir_func i64 @even(i64 %less)
  %group = call spir_func i64 @_Z12get_group_idj(i32 1)
  %sum = add i64 %below, %group
  ret i64 %sum
}

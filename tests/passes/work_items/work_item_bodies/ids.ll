; RUN: --steps=prepare-kernels,work-item-bodies
; Work-work-item bodies become arithmetic on the implicit arguments.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z15get_global_sizej(i32)
declare spir_func i32 @_Z12get_work_dimv()
declare spir_func i64 @_Z19get_local_linear_idv()

; CHECK-LABEL: define void @global_id.item(ptr addrspace(1) %p, ptr noalias noundef readonly align 8 dereferenceable({{[0-9]+}}) %launch
; CHECK: [[ID:%.*]] = add nuw i64 %first.y, %item.y
; CHECK: store i64 [[ID]]
define spir_kernel void @global_id(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 1)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @out_of_range.item(
; CHECK: store i64 0,
; CHECK: store i64 1,
define spir_kernel void @out_of_range(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 3)
  store i64 %id, ptr addrspace(1) %p
  %size = call spir_func i64 @_Z15get_global_sizej(i32 99)
  store i64 %size, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @dynamic.item(
; CHECK: [[IS0:%.*]] = icmp eq i32 %d, 0
; CHECK: [[S0:%.*]] = select i1 [[IS0]], i64 %item.x, i64 0
; CHECK: [[IS1:%.*]] = icmp eq i32 %d, 1
; CHECK: [[S1:%.*]] = select i1 [[IS1]], i64 %item.y, i64 [[S0]]
; CHECK: [[IS2:%.*]] = icmp eq i32 %d, 2
; CHECK: [[S2:%.*]] = select i1 [[IS2]], i64 %item.z, i64 [[S1]]
; CHECK: store i64 [[S2]]
define spir_kernel void @dynamic(ptr addrspace(1) %p, i32 %d) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 %d)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @launch_fields.item(
; CHECK: [[FIELD:%.*]] = getelementptr inbounds i8, ptr %launch, i64 96
; CHECK: load i64, ptr [[FIELD]], align 8, !range {{.*}}, !invariant.load
; CHECK: trunc i64 {{.*}} to i32
define spir_kernel void @launch_fields(ptr addrspace(1) %p) {
  %dim = call spir_func i32 @_Z12get_work_dimv()
  store i32 %dim, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @linear.item(
; CHECK: mul nuw i64 %item.z, %size.y
; CHECK: add nuw i64 {{.*}}, %item.y
; CHECK: mul nuw i64 {{.*}}, %size.x
; CHECK: add nuw i64 {{.*}}, %item.x
define spir_kernel void @linear(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z19get_local_linear_idv()
  store i64 %id, ptr addrspace(1) %p
  ret void
}

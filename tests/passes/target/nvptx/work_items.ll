; RUN: --steps=retarget,prepare-kernels,nvptx-kernels,clean-up,optimize --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32 --emit=asm
; Ids are special registers; offset and sizes come with the launch. A required size is a constant.

; CHECK-LABEL: .visible .entry k(
; CHECK-DAG: %ctaid.x
; CHECK-DAG: %ntid.x
; CHECK-DAG: %tid.x
; CHECK-DAG: ld.param.b64 {{.*}}, [k_param_1];
; CHECK: bar.sync 0;
; CHECK-LABEL: .visible .entry required(
; CHECK: .reqntid 64, 1, 1
; CHECK-NOT: %ntid
; CHECK: ret;
; The work-groups of a block are rows of threads, whatever their shape.
; CHECK-LABEL: .visible .entry block(
; CHECK-NOT: %tid.z
; CHECK: %tid.x
; CHECK-NOT: %tid.z
; CHECK: div.u32
; CHECK: ret;
define spir_kernel void @k(ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %id
  store i64 %id, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  %size = call spir_func i64 @_Z15get_global_sizej(i32 0)
  store i64 %size, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @required(ptr addrspace(1) %out) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %size = call spir_func i64 @_Z14get_local_sizej(i32 0)
  store i64 %size, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @block(ptr addrspace(1) %out) "quern-block" {
  %id = call spir_func i64 @_Z12get_local_idj(i32 2)
  store i64 %id, ptr addrspace(1) %out
  ret void
}

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z15get_global_sizej(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func void @_Z7barrierj(i32) convergent
!0 = !{i32 64, i32 1, i32 1}

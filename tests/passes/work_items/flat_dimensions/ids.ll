; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions
; A dimension is flat where only global ids are asked for, and sizes and counts that are those of the whole NDRange.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i64 @_Z14get_num_groupsj(i32)
declare spir_func i64 @_Z23get_enqueued_local_sizej(i32)
declare spir_func i64 @_Z20get_global_linear_idv()
declare spir_func i64 @_Z19get_local_linear_idv()
declare spir_func void @_Z7barrierj(i32)

define spir_kernel void @all(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z20get_global_linear_idv()
  %n = call spir_func i64 @_Z14get_num_groupsj(i32 0)
  %size = call spir_func i64 @_Z23get_enqueued_local_sizej(i32 0)
  %unused = call spir_func i64 @_Z12get_local_idj(i32 0)
  %product = mul i64 %n, %size
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %id
  store i64 %product, ptr addrspace(1) %q
  ret void
}

; LLVM may make a logical operation of the sum.
define spir_kernel void @first(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %is = icmp eq i64 %id, 0
  br i1 %is, label %yes, label %no
yes:
  store i64 1, ptr addrspace(1) %p
  br label %no
no:
  ret void
}

define spir_kernel void @local_id(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @group_id(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z12get_group_idj(i32 1)
  store i64 %id, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @local_size(ptr addrspace(1) %p) {
  %size = call spir_func i64 @_Z14get_local_sizej(i32 2)
  store i64 %size, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @linear(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z19get_local_linear_idv()
  store i64 %id, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @waits() {
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

define spir_kernel void @local_argument(ptr addrspace(3) %l) {
  store i32 1, ptr addrspace(3) %l
  ret void
}

@variable = internal addrspace(3) global i32 undef

define spir_kernel void @local_variable() {
  store volatile i32 1, ptr addrspace(3) @variable
  ret void
}

; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="7" "quern-kernel"="all"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="7" "quern-kernel"="first"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="6" "quern-kernel"="local_id"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="5" "quern-kernel"="group_id"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="3" "quern-kernel"="local_size"
; CHECK-DAG: attributes #{{[0-9]+}} = { {{.*}}"quern-flat"="0" "quern-kernel"="linear"
; CHECK-DAG: attributes #{{[0-9]+}} = { "quern-arguments"="0" "quern-kernel"="waits"
; CHECK-DAG: attributes #{{[0-9]+}} = { "quern-arguments"="1" "quern-kernel"="local_argument"
; CHECK-DAG: attributes #{{[0-9]+}} = { "quern-arguments"="0" "quern-kernel"="local_variable"

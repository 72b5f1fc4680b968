; RUN: --steps=retarget,prepare-kernels,nvptx-kernels,clean-up,optimize --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32 --emit=asm
; Collective functions go through a warp by one instruction or by shuffles, and those of work-groups then through local memory, which nobody writes again before all have read it.

; CHECK-LABEL: .visible .entry sub_group_sum(
; CHECK: activemask.b32
; CHECK: redux.sync.add.s32
; CHECK-NOT: shfl
; CHECK: ret;
define spir_kernel void @sub_group_sum(ptr addrspace(1) %out, i32 %x) {
  %a = call spir_func i32 @__quern_sub_group_int_int(ptr @add_int_reduce.7, i32 %x)
  store i32 %a, ptr addrspace(1) %out
  ret void
}

; Where threads are missing in the middle, one value is taken after the other.
; CHECK-LABEL: .visible .entry sub_group_scan(
; CHECK-DAG: shfl.sync.idx.b32
; CHECK-DAG: shfl.sync.up.b32 {{.*}}, 1, 0,
; CHECK-DAG: shfl.sync.up.b32 {{.*}}, 16, 0,
; CHECK: ret;
define spir_kernel void @sub_group_scan(ptr addrspace(1) %out, float %x) {
  %a = call spir_func float @__quern_sub_group_float_float(ptr @max_float_scan_exclusive, float %x)
  store float %a, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .visible .entry sum(
; CHECK: redux.sync.add.s32
; CHECK: st.shared.b32
; CHECK: bar{{.*}}.sync
; CHECK-NOT: bar{{.*}}.sync
; CHECK: ret;
define spir_kernel void @sum(ptr addrspace(1) %out, i32 %x) {
  %a = call spir_func i32 @__quern_group_uniform_int_int(ptr @add_int_reduce.7, i32 %x)
  store i32 %a, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .visible .entry many_sums(
; CHECK: bar{{.*}}.sync
; CHECK: st.shared.b32
; CHECK: bar{{.*}}.sync
; CHECK: ld.shared
; CHECK: ret;
define spir_kernel void @many_sums(ptr addrspace(1) %out, i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi i32 [ %x, %entry ], [ %a, %loop ]
  %a = call spir_func i32 @__quern_group_uniform_int_int(ptr @add_int_reduce.7, i32 %y)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %a, ptr addrspace(1) %out
  ret void
}

; A work-group of one warp needs no local memory.
; CHECK-LABEL: .visible .entry small(
; CHECK: shfl.sync.up.b32
; CHECK-NOT: bar{{.*}}.sync
; CHECK: ret;
define spir_kernel void @small(ptr addrspace(1) %out, float %x) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %a = call spir_func float @__quern_group_item_float_float(ptr @add_float_scan_inclusive, float %x)
  store float %a, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .visible .entry vote(
; CHECK: bar{{.*}}.red.or.pred
; CHECK: ret;
define spir_kernel void @vote(ptr addrspace(1) %out, i32 %x) {
  %a = call spir_func i32 @__quern_group_uniform_int_int(ptr @any, i32 %x)
  store i32 %a, ptr addrspace(1) %out
  ret void
}

define internal void @add_int_reduce.7(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal void @max_float_scan_exclusive(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal void @add_float_scan_inclusive(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal void @any(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
declare spir_func i32 @__quern_sub_group_int_int(ptr, i32) convergent
declare spir_func float @__quern_sub_group_float_float(ptr, float) convergent
declare spir_func i32 @__quern_group_uniform_int_int(ptr, i32) convergent
declare spir_func float @__quern_group_item_float_float(ptr, float) convergent
!0 = !{i32 32, i32 1, i32 1}

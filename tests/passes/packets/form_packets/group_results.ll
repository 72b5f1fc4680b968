; RUN: --target=x86_64;cpu=x86-64-v3;packets=4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Work-items that decide a vote, or that all ask for a value, store it for the group; where no work-item of a packet does, it leaves
; what is there.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4), i32)
declare spir_func i32 @__quern_group_uniform_int_int_ulong(ptr addrspace(4), i32, i64)

; CHECK-LABEL: define {{.*}} @vote.region.0.packet(
; CHECK: [[HOLDS:%.+]] = icmp ne <4 x i32>
; CHECK: [[DECIDES:%.+]] = xor <4 x i1> [[HOLDS]], splat (i1 true)
; CHECK: [[BEFORE:%.+]] = load i32, ptr %uniforms.out, align 4
; CHECK: [[AFTER:%.+]] = select i1 {{%.+}}, i32 0, i32 [[BEFORE]]
; CHECK: store i32 [[AFTER]], ptr %uniforms.out, align 4
; CHECK: ret i32 1
define spir_kernel void @vote(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %x = load i32, ptr addrspace(1) %q
  %a = call spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4) addrspacecast (ptr @all to ptr addrspace(4)), i32 %x)
  store i32 %a, ptr addrspace(1) %q
  ret void
}

; Few work-items store to memory, but another one may have the value: no condition bounds the row.
; CHECK-NOT: @guarded.region.0.active_range
; CHECK-LABEL: define {{.*}} @guarded.region.0.packet(
; CHECK: [[BITS:%.+]] = bitcast <4 x i1> {{%.+}} to i4
; CHECK: call i4 @llvm.cttz.i4(i4 [[BITS]], i1 false)
; CHECK: extractelement <4 x i32>
; CHECK-NOT: @guarded.region.0.active_range
; CHECK: store i32 {{%.+}}, ptr %uniforms.out, align 4
define spir_kernel void @guarded(ptr addrspace(1) %p, i64 %n, i64 %from) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %c = icmp ult i64 %id, %n
  br i1 %c, label %few, label %all
few:
  store i32 7, ptr addrspace(1) %q
  br label %all
all:
  %x = trunc i64 %id to i32
  %a = call spir_func i32 @__quern_group_uniform_int_int_ulong(ptr addrspace(4) addrspacecast (ptr @broadcast_int to ptr addrspace(4)), i32 %x, i64 %from)
  store i32 %a, ptr addrspace(1) %q
  ret void
}

; Where nothing else is to be done, only packets run that hold the one.
; CHECK: define internal i64 @nothing_else.region.0.active_range(
define spir_kernel void @nothing_else(ptr addrspace(1) %p, i64 %from) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %x = trunc i64 %id to i32
  %a = call spir_func i32 @__quern_group_uniform_int_int_ulong(ptr addrspace(4) addrspacecast (ptr @broadcast_int to ptr addrspace(4)), i32 %x, i64 %from)
  store i32 %a, ptr addrspace(1) %q
  ret void
}

define internal spir_func void @all(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal spir_func void @broadcast_int(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}

!0 = !{i32 64, i32 1, i32 1}

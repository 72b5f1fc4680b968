; RUN: --target=x86_64;cpu=x86-64-v3;packets=8 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,group-shapes,isolate-barriers,form-regions,form-packets
; Collective functions of a group of six that is a packet of eight: its last two elements change nothing. A result that is the same
; for all is one number, which decides a loop without masks.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4), i32)
declare spir_func i32 @__quern_group_uniform_int_int_ulong(ptr addrspace(4), i32, i64)
declare spir_func i32 @__quern_group_item_int_int(ptr addrspace(4), i32)

; CHECK-LABEL: define {{.*}} @sums.one_packet.region.0.packet(
; CHECK: [[OPERANDS:%.+]] = select <8 x i1> {{.+}}, <8 x i32> {{%.+}}, <8 x i32> zeroinitializer
; CHECK: shufflevector <8 x i32> [[OPERANDS]], <8 x i32> zeroinitializer, <8 x i32> <i32 8, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6>
; CHECK: extractelement <8 x i32> {{%.+}}, i64
define spir_kernel void @sums(ptr addrspace(1) %p, i64 %n) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %x = load i32, ptr addrspace(1) %q
  %v = call spir_func i32 @__quern_group_item_int_int(ptr addrspace(4) addrspacecast (ptr @add_int_scan_inclusive to ptr addrspace(4)), i32 %x)
  %w = call spir_func i32 @__quern_group_uniform_int_int_ulong(ptr addrspace(4) addrspacecast (ptr @broadcast_int to ptr addrspace(4)), i32 %x, i64 %n)
  %sum = add i32 %v, %w
  store i32 %sum, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define {{.*}} @until_none.one_packet.region.0.packet(
; CHECK: [[HOLDS:%.+]] = icmp ne <8 x i32>
; CHECK: [[BITS:%.+]] = bitcast <8 x i1> {{%.+}} to i8
; CHECK: [[THEIRS:%.+]] = and i8 [[BITS]], bitcast (<8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false> to i8)
; CHECK: [[ANY:%.+]] = icmp ne i8 [[THEIRS]], 0
; CHECK-NOT: phi <8 x i1>
; CHECK: ret i32
define spir_kernel void @until_none(ptr addrspace(1) %p) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
entry:
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  br label %iteration
iteration:
  %x = load i32, ptr addrspace(1) %q
  %less = sub i32 %x, 1
  store i32 %less, ptr addrspace(1) %q
  %v = call spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4) addrspacecast (ptr @any to ptr addrspace(4)), i32 %less)
  %again = icmp ne i32 %v, 0
  br i1 %again, label %iteration, label %done
done:
  ret void
}

define internal spir_func void @any(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal spir_func void @broadcast_int(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}
define internal spir_func void @add_int_scan_inclusive(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}

!0 = !{i32 6, i32 1, i32 1}

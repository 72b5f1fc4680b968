; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v3;packets=4
; What packets do with reservations in pipes.

declare spir_func i64 @_Z13get_global_idj(i32)

; As in the built-in library: it uses what others write, and never waits for it.
define spir_func i64 @__quern_reserve_to_write(ptr addrspace(1) %pipe, i32 %count) noinline {
  %old = atomicrmw add ptr addrspace(1) %pipe, i32 %count monotonic
  %first = zext i32 %old to i64
  ret i64 %first
}

; One for all work-items, of which each gets its part; where so much cannot be had, each tries for itself.
; CHECK-LABEL: define {{.*}} @each.region.0.packet(
; CHECK: [[INSIDE:%inside.*]] = icmp ult <4 x i32>
; CHECK: [[COUNTS:%.*]] = call <4 x i32> @llvm.masked.load
; CHECK: [[WIDE:%.*]] = zext <4 x i32> [[COUNTS]] to <4 x i64>
; CHECK: [[OWN:%.*]] = select <4 x i1> [[INSIDE]], <4 x i64> [[WIDE]], <4 x i64> zeroinitializer
; CHECK: [[SUMS:%.*]] = add <4 x i64>
; CHECK: [[ALL:%.*]] = extractelement <4 x i64> {{.*}}, i64 3
; CHECK: [[MOST:%.*]] = call i64 @llvm.umin.i64(i64 [[ALL]], i64 4294967295)
; CHECK: [[COUNT:%.*]] = trunc i64 [[MOST]] to i32
; CHECK: [[FIRST:%.*]] = call {{.*}} @__quern_reserve_to_write(ptr addrspace(1) %pipe, i32 [[COUNT]])
; CHECK: [[ABOVE:%.*]] = shl <4 x i64> [[OWN]], splat (i64 32)
; CHECK: or <4 x i64> [[ABOVE]],
; CHECK: [[NONE:%.*]] = icmp eq i64 [[FIRST]], 0
; CHECK: br i1 [[NONE]], label %reserve.alone, label %reserve.done
; CHECK: each.item:
; CHECK: [[ONE:%.*]] = extractelement <4 x i32> [[COUNTS]], i64 %item
; CHECK: call {{.*}} @__quern_reserve_to_write(ptr addrspace(1) %pipe, i32 [[ONE]])
; CHECK: ret i32
define spir_kernel void @each(ptr addrspace(1) %pipe, ptr addrspace(1) %counts, ptr addrspace(1) %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %counts, i64 %gid
  %count = load i32, ptr addrspace(1) %p
  %slots = call spir_func i64 @__quern_reserve_to_write(ptr addrspace(1) %pipe, i32 %count)
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %gid
  store i64 %slots, ptr addrspace(1) %q
  ret void
}

; Who tries until it succeeds may wait for others of the packet.
; CHECK-NOT: @waits.region.0.packet
define spir_kernel void @waits(ptr addrspace(1) %pipe, ptr addrspace(1) %out) {
entry:
  br label %try

try:
  %slots = call spir_func i64 @__quern_reserve_to_write(ptr addrspace(1) %pipe, i32 1)
  %none = icmp eq i64 %slots, 0
  br i1 %none, label %try, label %done

done:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %q = getelementptr i64, ptr addrspace(1) %out, i64 %gid
  store i64 %slots, ptr addrspace(1) %q
  ret void
}

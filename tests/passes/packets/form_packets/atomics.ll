; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v3;packets=4
; What packets do with atomic operations and calls.

declare spir_func i64 @_Z13get_global_idj(i32)

; To one place: one operation with the sum; each work-item's result is what was there and the sum before it.
; CHECK-LABEL: define {{.*}} @one_place.region.0.packet(
; CHECK: [[INSIDE:%inside.*]] = icmp ult <4 x i32>
; CHECK: [[OWN:%.*]] = select <4 x i1> [[INSIDE]], <4 x i32> {{.*}}, <4 x i32> zeroinitializer
; CHECK: [[SUMS:%.*]] = add <4 x i32>
; CHECK: [[ALL:%.*]] = extractelement <4 x i32> {{.*}}, i64 3
; CHECK: atomicrmw add ptr addrspace(1) %counter, i32 [[ALL]] monotonic
; CHECK: ret i32
define spir_kernel void @one_place(ptr addrspace(1) %counter, ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %counter, i32 %v monotonic
  store i32 %old, ptr addrspace(1) %p
  ret void
}

; To places that differ: one after the other, those that are on, with indices on the stack.
; CHECK-LABEL: define {{.*}} @table.region.0.packet(
; CHECK: store volatile <4 x i64> {{.*}}, ptr [[INDICES:%.*]],
; CHECK: each.item:
; CHECK: [[LANE:%item.*]] = zext i4 {{.*}} to i64
; CHECK: [[PLACE:%.*]] = getelementptr inbounds i64, ptr [[INDICES]], i64 [[LANE]]
; CHECK: [[INDEX:%.*]] = load volatile i64, ptr [[PLACE]]
; CHECK: [[COUNTER:%.*]] = getelementptr i32, ptr addrspace(1) %counters, i64 [[INDEX]]
; CHECK: atomicrmw add ptr addrspace(1) [[COUNTER]], i32 1
; CHECK: br i1 {{.*}}, label %each.item, label %each.item.done
define spir_kernel void @table(ptr addrspace(1) %counters, ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %gid
  %v = load i64, ptr addrspace(1) %p
  %place = getelementptr i32, ptr addrspace(1) %counters, i64 %v
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  ret void
}

; A lock keeps its work-items apart.
; CHECK-NOT: @locks.region.0.packet
define spir_kernel void @locks(ptr addrspace(1) %lock, ptr addrspace(1) %data) {
entry:
  br label %try

try:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 monotonic
  %masked = and i32 %old, 1
  %taken = icmp ne i32 %masked, 0
  br i1 %taken, label %try, label %done

done:
  %v = load i32, ptr addrspace(1) %data
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %data
  %free = atomicrmw xchg ptr addrspace(1) %lock, i32 0 monotonic
  ret void
}

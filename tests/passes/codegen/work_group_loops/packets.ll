; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops
; A group runs in tiles of packets; where it has no room for one, or the tile has done nothing because a guard does not hold, its
; packets run one by one. The entry says up to which ids it is right.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK-SAME: [[ENTRY:#[0-9]+]]
; CHECK-NOT: large.ids
; CHECK: {{^}}packets.x:
; CHECK: [[END:%.*]] = add nuw i64 [[X:%.*]], 8
; CHECK: icmp ule i64 [[END]], [[SIZE:%.*]]
; CHECK: br i1 {{%.*}}, label %tile, label %packets.single
; CHECK: {{^}}tile:
; CHECK: [[NOTHING:%.*]] = icmp eq i32 {{.*}}, -1
; CHECK: br i1 [[NOTHING]], label %packets.single, label %tile.done
; CHECK: {{^}}packet.x:
; CHECK: [[PACKET:%.*]] = phi i64 [ [[X]], %{{.*}} ]
; CHECK: add nuw nsw i64 [[PACKET]], 4
; CHECK-NOT: items.x
; CHECK: attributes [[ENTRY]] = { {{.*}}"quern-range-limit"="2130706432"
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i64 = zext i32 %i to i64
  %at = add i64 %gid, %i64
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %at
  %v = load i32, ptr addrspace(1) %place
  %w = mul i32 %v, 3
  store i32 %w, ptr addrspace(1) %place
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

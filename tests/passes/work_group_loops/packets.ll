; RUN: --steps=prepare-kernels,item-functions,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops
; A row runs as many packets as it holds, if its ids are below 2^31, and then its last work-items one by one.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: [[WHOLE:%.*]] = and i64 [[SIZE:%.*]], -4
; CHECK: [[NARROW:%.*]] = icmp ule i64 {{%.*}}, 2147483648
; CHECK: %packets.end = select i1 [[NARROW]], i64 [[WHOLE]], i64 0
; CHECK: packets:
; CHECK: %packet = phi i64 [ 0, %{{.*}} ]
; CHECK: add nuw nsw i64 %packet, 4
; CHECK: packets.done:
; CHECK: icmp ult i64 %packets.end, [[SIZE]]
; CHECK: items.x:
; CHECK: %item.x = phi i64 [ %packets.end, %rest ]
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %gid
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %v = load i32, ptr addrspace(1) %place
  %w = mul i32 %v, 3
  store i32 %w, ptr addrspace(1) %place
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

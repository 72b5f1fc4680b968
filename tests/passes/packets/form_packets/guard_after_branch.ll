; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; The guard of the last block compares ids that the first block has computed: they reach it as one number for the whole packet.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define {{.*}} @after.region.0.tile(
; CHECK: [[ID:%.*]] = add i64 %first.x, %item.x
; CHECK: br i1 %more,
; CHECK: [[FIRST:%.*]] = freeze i64 [[ID]]
; CHECK-NEXT: [[LAST:%.*]] = add i64 [[FIRST]], 31
; CHECK: icmp ult i64 [[LAST]],
; CHECK: label %guarded, label %nothing.done
define spir_kernel void @after(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i32 %m) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %gid, %n
  %place = select i1 %inside, i64 %gid, i64 0
  %from = getelementptr i64, ptr addrspace(1) %in, i64 %place
  %own = load i64, ptr addrspace(1) %from
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %m
  br i1 %more, label %body, label %last

body:
  call spir_func void @_Z7barrierj(i32 1)
  %i.next = add i32 %i, 1
  br label %head

last:
  br i1 %inside, label %store, label %done

store:
  %to = getelementptr i64, ptr addrspace(1) %out, i64 %own
  store i64 %own, ptr addrspace(1) %to
  br label %done

done:
  ret void
}

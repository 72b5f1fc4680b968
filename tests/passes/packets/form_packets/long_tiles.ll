; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4;packets=auto
; Iterations that wait for the one before: as many packets at a time as registers hold, where the group has so many.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: define {{.*}}@mix.region.0({{.*}} [[ATTRIBUTES:#[0-9]+]]
; CHECK: attributes [[ATTRIBUTES]] = {{.*}}"quern-tile-columns"="16"
define spir_kernel void @mix(ptr addrspace(1) %out, i32 %count) !reqd_work_group_size !0 {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  %first = load i32, ptr addrspace(1) %place
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %first, %entry ], [ %mixed, %loop ]
  %left = shl i32 %x, 13
  %a = xor i32 %x, %left
  %right = lshr i32 %a, 17
  %b = xor i32 %a, %right
  %again = shl i32 %b, 5
  %c = xor i32 %b, %again
  %mixed = add i32 %c, 40503
  %next = add nuw i32 %i, 1
  %goes.on = icmp ult i32 %next, %count
  br i1 %goes.on, label %loop, label %done

done:
  store i32 %mixed, ptr addrspace(1) %place
  ret void
}

!0 = !{i32 256, i32 1, i32 1}

; RUN: --target=x86_64;cpu=x86-64;packets=4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Numbers that go from the least to the greatest one within a packet differ by what they differ modulo 2^64.

declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define {{.*}} @k.region.0.
; CHECK: <i64 0, i64 -2, i64 -4, i64 -6>
; CHECK: ret i32 0
define spir_kernel void @k(ptr addrspace(1) %out, i32 %n) #0 !reqd_work_group_size !0 {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %twice = shl i64 %id, 1
  %v = sub i64 -9223372036854775807, %twice
  %place = getelementptr i64, ptr addrspace(1) %out, i64 %id
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  store i64 %v, ptr addrspace(1) %place
  ret void
}

attributes #0 = { "uniform-work-group-size"="true" }
!0 = !{i32 4, i32 1, i32 1}

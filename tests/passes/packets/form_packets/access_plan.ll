; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; The report tells how accesses are made by the plan that the code is made of: under a mask, elements that eight work-items read are
; gathered, those that two read are a pattern, and so are both where all work-items run.

declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK: !quern.report = !{[[MASKED:![0-9]+]], [[PLAIN:![0-9]+]]}
; CHECK-DAG: [[MASKED]] = !{{{.*}}accesses: 2 contiguous, 1 gathered, 1 in a pattern; 3 of them masked
; CHECK-DAG: [[PLAIN]] = !{{{.*}}accesses: 2 in a pattern, 1 contiguous; costs
define spir_kernel void @masked(ptr addrspace(1) %flags, ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 !reqd_work_group_size !0 {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %eighth = lshr i64 %id, 3
  %half = lshr i64 %id, 1
  %pf = getelementptr i32, ptr addrspace(1) %flags, i64 %id
  %flag = load i32, ptr addrspace(1) %pf
  %set = icmp ne i32 %flag, 0
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br i1 %set, label %then, label %latch

then:
  %pa = getelementptr float, ptr addrspace(1) %in, i64 %eighth
  %a = load float, ptr addrspace(1) %pa
  %pb = getelementptr float, ptr addrspace(1) %in, i64 %half
  %b = load float, ptr addrspace(1) %pb
  %sum = fadd float %a, %b
  %po = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %sum, ptr addrspace(1) %po
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

define spir_kernel void @plain(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) #0 !reqd_work_group_size !0 {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %eighth = lshr i64 %id, 3
  %half = lshr i64 %id, 1
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr float, ptr addrspace(1) %in, i64 %eighth
  %a = load float, ptr addrspace(1) %pa
  %pb = getelementptr float, ptr addrspace(1) %in, i64 %half
  %b = load float, ptr addrspace(1) %pb
  %sum = fadd float %a, %b
  %po = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %sum, ptr addrspace(1) %po
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

attributes #0 = { "uniform-work-group-size"="true" }
!0 = !{i32 64, i32 1, i32 1}

; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4;packets=auto
; A loop that work-items leave one by one, and that all which are still in it leave together at last: no mask comes from that. What is read
; in an iteration is read without asking whether there is a work-item.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}}@find.region.0.packet(
; CHECK: head:
; CHECK: br i1 %{{.*}}, label %[[ITERATION:head.iteration]], label %head.nobody
; CHECK: body:
; CHECK-NOT: br
; CHECK: load float, ptr addrspace(1)
; CHECK: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v16i1
; CHECK: br i1 [[ANY]], label %[[ITERATION]], label
; CHECK: [[ITERATION]]:
; CHECK: [[COUNT:%indvars.iv.*]] = phi i64 [ 0, %head ], [ %indvars.iv.next, %body ]
; CHECK: [[INSIDE:%.*]] = icmp ne i64 [[COUNT]], %wide.trip.count
; CHECK-NEXT: br i1 [[INSIDE]], label %[[STAY:head.edge.*]], label %[[LEFT:head.edge.*]]
; CHECK: [[STAY]]:
; CHECK: br label %body
; CHECK: [[LEFT]]:
; CHECK-NEXT: select <16 x i1> {{.*}}, <16 x i32> splat (i32 -1), <16 x i32>
; CHECK: ret i32
define spir_kernel void @find(ptr addrspace(1) %sums, ptr addrspace(1) %wanted, ptr addrspace(1) %out, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %own = getelementptr float, ptr addrspace(1) %wanted, i64 %gid
  %limit = load float, ptr addrspace(1) %own
  br label %head

head:
  %x = phi i32 [ 0, %entry ], [ %next, %body ]
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %body, label %done

body:
  %index = sext i32 %x to i64
  %place = getelementptr float, ptr addrspace(1) %sums, i64 %index
  %sum = load float, ptr addrspace(1) %place
  %isLess = fcmp olt float %sum, %limit
  %next = add nsw i32 %x, 1
  br i1 %isLess, label %head, label %done

done:
  %found = phi i32 [ -1, %head ], [ %x, %body ]
  %result = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %found, ptr addrspace(1) %result
  ret void
}

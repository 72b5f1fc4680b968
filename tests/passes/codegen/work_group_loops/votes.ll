; RUN: --target=x86_64;cpu=x86-64-v3;packets=4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops
; A vote that work-items only store when they decide it has the other result before: when the group begins, and behind each vote.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4), i32)

; CHECK-LABEL: define void @quern.kernel.vote(
; CHECK: group:
; CHECK: [[PLACE:%.+]] = getelementptr inbounds i8, ptr %uniforms.out, i64 0
; CHECK-NEXT: store i32 1, ptr [[PLACE]]
; CHECK: region.1:
; CHECK-NEXT: [[AGAIN:%.+]] = getelementptr inbounds i8, ptr %uniforms.out, i64 0
; CHECK-NEXT: store i32 1, ptr [[AGAIN]]
; CHECK-NOT: call void @all
; CHECK: ret void
define spir_kernel void @vote(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %x = load i32, ptr addrspace(1) %q
  %a = call spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4) addrspacecast (ptr @all to ptr addrspace(4)), i32 %x)
  store i32 %a, ptr addrspace(1) %q
  ret void
}

define internal spir_func void @all(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}

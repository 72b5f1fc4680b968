; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; A collective function begins a region, which knows where operands and results are; a result that is the same for all is kept
; once for the group, and decides a branch without the work-items parting.

declare spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4), i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: store i32
; CHECK: ret i32 1
; CHECK: define i32 @k.region.1({{.*}} [[FIRST:#[0-9]+]]
; CHECK: [[RESULT:%.+]] = getelementptr inbounds i8, ptr %uniforms.in, i64 4
; CHECK: load i32, ptr [[RESULT]]
; CHECK-NOT: fence
; CHECK: attributes [[FIRST]] = {
; CHECK-NOT: "quern-divergent-exits"
; CHECK-SAME: "quern-collective"="group_uniform combine 4:4 {{[0-9]+}}:4 -"
define spir_kernel void @k(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %x = trunc i64 %id to i32
  %a = call spir_func i32 @__quern_group_uniform_int_int(ptr addrspace(4) addrspacecast (ptr @combine to ptr addrspace(4)), i32 %x)
  %c = icmp eq i32 %a, 3
  br i1 %c, label %go, label %out
go:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 %a, ptr addrspace(1) %p
  br label %out
out:
  ret void
}

define internal spir_func void @combine(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; Where sub-groups meet and paths diverge, each work-item's next region and its own copy of every value are kept, and the barriers
; of sub-groups come before those of the work-group.

declare spir_func i32 @_Z16get_sub_group_idv()
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
declare spir_func void @_Z17sub_group_barrierj(i32)

; CHECK: define i32 @parts.region.0({{.*}} [[PARTS:#[0-9]+]]
; CHECK: %next = phi i32 [ 1, %to.2 ]
; Region 1 follows the barrier of the sub-group although the other barrier is passed first.
; CHECK-LABEL: define i32 @parts.region.1(
; CHECK: %waits = icmp eq i32 {{%.*}}, 0
; CHECK: store i32 2
; CHECK: define i32 @stays.region.0({{.*}} [[STAYS:#[0-9]+]]
; CHECK: attributes [[PARTS]] = {{.*}}"quern-next-region-offset"="{{[0-9]+}}"{{.*}}"quern-uniform-bytes"="0"
; CHECK: attributes [[STAYS]] = {
; CHECK-NOT: "quern-next-region-offset"
; CHECK-SAME: "quern-uniform-bytes"="4"
define spir_kernel void @parts(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %uniform = load i32, ptr addrspace(1) %q
  call spir_func void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %p
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %c = icmp ult i64 %id, 8
  br i1 %c, label %some, label %out
some:
  call spir_func void @_Z17sub_group_barrierj(i32 1)
  store i32 2, ptr addrspace(1) %p
  br label %out
out:
  store i32 %uniform, ptr addrspace(1) %q
  ret void
}

define spir_kernel void @stays(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %uniform = load i32, ptr addrspace(1) %q
  call spir_func void @_Z17sub_group_barrierj(i32 1)
  store i32 %uniform, ptr addrspace(1) %p
  ret void
}

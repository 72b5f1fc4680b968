; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; A counter is uniform in its loop; after a loop that work-items leave at different times it is not.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: start:
; CHECK-NOT: %uniforms.out
; CHECK: ret i32 1
; CHECK: "quern-context-item-bytes"="8"{{.*}}"quern-uniform-bytes"="0"
define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i64 %i, 3
  %more = icmp ult i64 %i.next, %id
  br i1 %more, label %loop, label %wait
wait:
  call spir_func void @_Z7barrierj(i32 1)
  store i64 %i, ptr addrspace(1) %p
  ret void
}

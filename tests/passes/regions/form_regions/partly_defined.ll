; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; One work-item reads what is the same for all; for the others the value is undefined, so each keeps its own.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: start:
; CHECK-NOT: %uniforms.out
; CHECK: ret i32 1
; CHECK: "quern-context-item-bytes"="4"{{.*}}"quern-uniform-bytes"="0"
define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %first = icmp eq i64 %id, 0
  br i1 %first, label %then, label %join
then:
  %value = load i32, ptr addrspace(1) %p
  br label %join
join:
  %kept = phi i32 [ %value, %then ], [ undef, %entry ]
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %first, label %write, label %done
write:
  %place = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 %kept, ptr addrspace(1) %place
  br label %done
done:
  ret void
}

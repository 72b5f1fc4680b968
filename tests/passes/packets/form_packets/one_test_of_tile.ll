; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4;packets=all
; A guard on a number that went through another type: the first and the last work-item of a tile decide for all
; its packets.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @k.region.0.tile(
; CHECK: [[FIRST:%.*]] = freeze i64
; CHECK-NEXT: [[LAST:%.*]] = add i64 [[FIRST]], 63
; CHECK-NEXT: icmp sle i64 [[FIRST]], [[LAST]]
; CHECK-NOT: = add i64
; CHECK: br i1 {{%.*}}, label %guarded
define spir_kernel void @k(ptr addrspace(1) %out, i32 %k, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %g = trunc i64 %gid to i32
  %sum = add nsw i32 %g, %k
  %wide = sext i32 %sum to i64
  %inside = icmp slt i64 %wide, %n
  br i1 %inside, label %then, label %done

then:
  %p = getelementptr float, ptr addrspace(1) %out, i64 %gid
  %v = load float, ptr addrspace(1) %p
  %a = fadd float %v, 1.0
  %b = fmul float %a, %v
  store float %b, ptr addrspace(1) %p
  br label %done

done:
  ret void
}

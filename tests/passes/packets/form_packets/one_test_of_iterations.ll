; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4;packets=auto
; A loop that work-items leave at different times, whose body is skipped when all have left: that ends the loop, so that it asks
; once in each iteration whether any stays.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}}@escape.region.0.packet(
; CHECK: {{^}}body:
; CHECK: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v16i1(
; CHECK-NEXT: br i1 [[ANY]], label %body.any, label %body.done
; CHECK: {{^}}body.any:
; CHECK: br label %loop
; CHECK: {{^}}body.done:
; CHECK-NOT: @llvm.vector.reduce.or
; CHECK: br label %done
; CHECK-LABEL: define {{.*}}@escape.region.0.tile(
define spir_kernel void @escape(ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr float, ptr addrspace(1) %out, i64 %gid
  %first = load float, ptr addrspace(1) %place
  br label %loop

loop:
  %x = phi float [ %first, %entry ], [ %next, %body ]
  %stays = fcmp olt float %x, 100.0
  br i1 %stays, label %body, label %done

body:
  %a = fmul float %x, %x
  %b = fadd float %a, 1.0
  %c = fmul float %b, %a
  %d = fadd float %c, 2.0
  %e = fmul float %d, %c
  %f = fadd float %e, 3.0
  %g = fmul float %f, %e
  %h = fadd float %g, 4.0
  %i = fmul float %h, %g
  %j = fadd float %i, 5.0
  %k = fmul float %j, %i
  %l = fadd float %k, 6.0
  %m = fmul float %l, %k
  %n = fadd float %m, 7.0
  %o = fmul float %n, %m
  %next = fadd float %o, 8.0
  br label %loop

done:
  store float %x, ptr addrspace(1) %place
  ret void
}

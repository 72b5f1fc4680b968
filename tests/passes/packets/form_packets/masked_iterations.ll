; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4;packets=auto
; A loop that work-items leave at different times: what it makes for those that have left is not kept apart from iteration to iteration,
; but what they leave it with is.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}}@escape.region.0.packet(
; CHECK: [[NEXT:%.*]] = fadd <16 x float>
; CHECK: %x.0 = phi <16 x float> [ %{{.*}}, %loop ], [ [[NEXT]], %body ]
; CHECK: %[[KEPT:x.lcssa.*]] = phi <16 x float>
; CHECK: select <16 x i1> %{{.*}}, <16 x float> %x.0, <16 x float> %[[KEPT]]
; CHECK: ret i32
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
  %square = fmul float %x, %x
  %next = fadd float %square, 1.0
  br label %loop

done:
  store float %x, ptr addrspace(1) %place
  ret void
}

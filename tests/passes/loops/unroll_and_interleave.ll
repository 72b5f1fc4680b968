; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops,optimize,instructions --target=x86_64;cpu=x86-64-v4;packets=auto
; Loops whose iterations overlap make two iterations at a time where these are short.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @quern.kernel.short(
; CHECK: {{^}}tile:
; CHECK: {{^}}iterations.first
; CHECK: {{^}}loop
; CHECK-COUNT-2: fsub <16 x float>
; CHECK-NOT: fsub <16 x float>
; CHECK: {{^}}iterations.last
define spir_kernel void @short(ptr addrspace(1) noalias %places, ptr addrspace(1) noalias %result, i32 %count) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %own.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  %own = load float, ptr addrspace(1) %own.place
  %any = icmp sgt i32 %count, 0
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = sext i32 %i to i64
  %place = getelementptr inbounds float, ptr addrspace(1) %places, i64 %index
  %other = load float, ptr addrspace(1) %place
  %c0 = fsub float %other, %own
  %a0 = fmul float %c0, %own
  %b0 = fadd float %a0, %other
  %c1 = fmul float %b0, %b0
  %a1 = fmul float %c1, %own
  %b1 = fadd float %a1, %other
  %c2 = fmul float %b1, %b1
  %a2 = fmul float %c2, %own
  %b2 = fadd float %a2, %other
  %c3 = fmul float %b2, %b2
  %a3 = fmul float %c3, %own
  %b3 = fadd float %a3, %other
  %c4 = fmul float %b3, %b3
  %a4 = fmul float %c4, %own
  %b4 = fadd float %a4, %other
  %c5 = fmul float %b4, %b4
  %a5 = fmul float %c5, %own
  %b5 = fadd float %a5, %other
  %c6 = fmul float %b5, %b5
  %a6 = fmul float %c6, %own
  %b6 = fadd float %a6, %other
  %c7 = fmul float %b6, %b6
  %a7 = fmul float %c7, %own
  %b7 = fadd float %a7, %other
  %c8 = fmul float %b7, %b7
  %a8 = fmul float %c8, %own
  %b8 = fadd float %a8, %other
  %c9 = fmul float %b8, %b8
  %a9 = fmul float %c9, %own
  %b9 = fadd float %a9, %other
  %c10 = fmul float %b9, %b9
  %a10 = fmul float %c10, %own
  %b10 = fadd float %a10, %other
  %c11 = fmul float %b10, %b10
  %a11 = fmul float %c11, %own
  %b11 = fadd float %a11, %other
  %c12 = fmul float %b11, %b11
  %more = fadd float %sum, %c12
  %next = add nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %count
  br i1 %goes.on, label %loop, label %done

done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  store float %all, ptr addrspace(1) %own.place
  ret void
}

; CHECK-LABEL: define void @quern.kernel.long(
; CHECK: {{^}}tile:
; CHECK: {{^}}iterations.first
; CHECK: {{^}}loop
; CHECK: fsub <16 x float>
; CHECK-NOT: fsub <16 x float>
; CHECK: {{^}}iterations.last
define spir_kernel void @long(ptr addrspace(1) noalias %places, ptr addrspace(1) noalias %result, i32 %count) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %own.place = getelementptr float, ptr addrspace(1) %result, i64 %gid
  %own = load float, ptr addrspace(1) %own.place
  %any = icmp sgt i32 %count, 0
  br i1 %any, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = sext i32 %i to i64
  %place = getelementptr inbounds float, ptr addrspace(1) %places, i64 %index
  %other = load float, ptr addrspace(1) %place
  %c0 = fsub float %other, %own
  %a0 = fmul float %c0, %own
  %b0 = fadd float %a0, %other
  %c1 = fmul float %b0, %b0
  %a1 = fmul float %c1, %own
  %b1 = fadd float %a1, %other
  %c2 = fmul float %b1, %b1
  %a2 = fmul float %c2, %own
  %b2 = fadd float %a2, %other
  %c3 = fmul float %b2, %b2
  %a3 = fmul float %c3, %own
  %b3 = fadd float %a3, %other
  %c4 = fmul float %b3, %b3
  %a4 = fmul float %c4, %own
  %b4 = fadd float %a4, %other
  %c5 = fmul float %b4, %b4
  %a5 = fmul float %c5, %own
  %b5 = fadd float %a5, %other
  %c6 = fmul float %b5, %b5
  %a6 = fmul float %c6, %own
  %b6 = fadd float %a6, %other
  %c7 = fmul float %b6, %b6
  %a7 = fmul float %c7, %own
  %b7 = fadd float %a7, %other
  %c8 = fmul float %b7, %b7
  %a8 = fmul float %c8, %own
  %b8 = fadd float %a8, %other
  %c9 = fmul float %b8, %b8
  %a9 = fmul float %c9, %own
  %b9 = fadd float %a9, %other
  %c10 = fmul float %b9, %b9
  %a10 = fmul float %c10, %own
  %b10 = fadd float %a10, %other
  %c11 = fmul float %b10, %b10
  %a11 = fmul float %c11, %own
  %b11 = fadd float %a11, %other
  %c12 = fmul float %b11, %b11
  %a12 = fmul float %c12, %own
  %b12 = fadd float %a12, %other
  %c13 = fmul float %b12, %b12
  %a13 = fmul float %c13, %own
  %b13 = fadd float %a13, %other
  %c14 = fmul float %b13, %b13
  %a14 = fmul float %c14, %own
  %b14 = fadd float %a14, %other
  %c15 = fmul float %b14, %b14
  %a15 = fmul float %c15, %own
  %b15 = fadd float %a15, %other
  %c16 = fmul float %b15, %b15
  %a16 = fmul float %c16, %own
  %b16 = fadd float %a16, %other
  %c17 = fmul float %b16, %b16
  %a17 = fmul float %c17, %own
  %b17 = fadd float %a17, %other
  %c18 = fmul float %b17, %b17
  %a18 = fmul float %c18, %own
  %b18 = fadd float %a18, %other
  %c19 = fmul float %b18, %b18
  %a19 = fmul float %c19, %own
  %b19 = fadd float %a19, %other
  %c20 = fmul float %b19, %b19
  %a20 = fmul float %c20, %own
  %b20 = fadd float %a20, %other
  %c21 = fmul float %b20, %b20
  %a21 = fmul float %c21, %own
  %b21 = fadd float %a21, %other
  %c22 = fmul float %b21, %b21
  %a22 = fmul float %c22, %own
  %b22 = fadd float %a22, %other
  %c23 = fmul float %b22, %b22
  %a23 = fmul float %c23, %own
  %b23 = fadd float %a23, %other
  %c24 = fmul float %b23, %b23
  %a24 = fmul float %c24, %own
  %b24 = fadd float %a24, %other
  %c25 = fmul float %b24, %b24
  %a25 = fmul float %c25, %own
  %b25 = fadd float %a25, %other
  %c26 = fmul float %b25, %b25
  %a26 = fmul float %c26, %own
  %b26 = fadd float %a26, %other
  %c27 = fmul float %b26, %b26
  %a27 = fmul float %c27, %own
  %b27 = fadd float %a27, %other
  %c28 = fmul float %b27, %b27
  %a28 = fmul float %c28, %own
  %b28 = fadd float %a28, %other
  %c29 = fmul float %b28, %b28
  %a29 = fmul float %c29, %own
  %b29 = fadd float %a29, %other
  %c30 = fmul float %b29, %b29
  %more = fadd float %sum, %c30
  %next = add nsw i32 %i, 1
  %goes.on = icmp slt i32 %next, %count
  br i1 %goes.on, label %loop, label %done

done:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  store float %all, ptr addrspace(1) %own.place
  ret void
}

; RUN: --target=x86_64;cpu=x86-64-v2 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; One work-item waits for its own results also within an iteration: as long as its longest chain of operations takes, of as much code as the
; processor looks ahead. As many operations of which most need not wait for each other take less. One on a floating-point number costs
; as much as one on a vector: 64 in each of 8 iterations.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: = !{!"kernel chain, region 0: {{.*}}one by one [[SERIAL:5[0-9]{2}[.][0-9]+]], with what that waits for {{[0-9]{4}[.]}}
; CHECK: = !{!"kernel apart, region 0: {{.*}}one by one [[SERIAL]], with what that waits for {{[0-9]{3}[.]}}
define spir_kernel void @chain(ptr addrspace(1) %index, ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %head ]
  %sum = phi float [ 0.0, %entry ], [ %more, %head ]
  %wide = zext i32 %i to i64
  %row = shl i64 %wide, 12
  %place = add i64 %row, %id
  %from = getelementptr i32, ptr addrspace(1) %index, i64 %place
  %first = load i32, ptr addrspace(1) %from
  %start = sext i32 %first to i64
  %at0 = xor i64 %start, 8
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 %at0
  %v0 = load float, ptr addrspace(1) %p0
  %at1 = xor i64 %start, 16
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 %at1
  %v1 = load float, ptr addrspace(1) %p1
  %at2 = xor i64 %start, 32
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 %at2
  %v2 = load float, ptr addrspace(1) %p2
  %t0 = fadd float %v0, %v0
  %t1 = fmul float %t0, %v1
  %t2 = fadd float %t1, %v2
  %t3 = fmul float %t2, %v0
  %t4 = fadd float %t3, %v1
  %t5 = fmul float %t4, %v2
  %t6 = fadd float %t5, %v0
  %t7 = fmul float %t6, %v1
  %t8 = fadd float %t7, %v2
  %t9 = fmul float %t8, %v0
  %t10 = fadd float %t9, %v1
  %t11 = fmul float %t10, %v2
  %t12 = fadd float %t11, %v0
  %t13 = fmul float %t12, %v1
  %t14 = fadd float %t13, %v2
  %t15 = fmul float %t14, %v0
  %t16 = fadd float %t15, %v1
  %t17 = fmul float %t16, %v2
  %t18 = fadd float %t17, %v0
  %t19 = fmul float %t18, %v1
  %t20 = fadd float %t19, %v2
  %t21 = fmul float %t20, %v0
  %t22 = fadd float %t21, %v1
  %t23 = fmul float %t22, %v2
  %t24 = fadd float %t23, %v0
  %t25 = fmul float %t24, %v1
  %t26 = fadd float %t25, %v2
  %t27 = fmul float %t26, %v0
  %t28 = fadd float %t27, %v1
  %t29 = fmul float %t28, %v2
  %t30 = fadd float %t29, %v0
  %t31 = fmul float %t30, %v1
  %t32 = fadd float %t31, %v2
  %t33 = fmul float %t32, %v0
  %t34 = fadd float %t33, %v1
  %t35 = fmul float %t34, %v2
  %t36 = fadd float %t35, %v0
  %t37 = fmul float %t36, %v1
  %t38 = fadd float %t37, %v2
  %t39 = fmul float %t38, %v0
  %t40 = fadd float %t39, %v1
  %t41 = fmul float %t40, %v2
  %t42 = fadd float %t41, %v0
  %t43 = fmul float %t42, %v1
  %t44 = fadd float %t43, %v2
  %t45 = fmul float %t44, %v0
  %t46 = fadd float %t45, %v1
  %t47 = fmul float %t46, %v2
  %t48 = fadd float %t47, %v0
  %t49 = fmul float %t48, %v1
  %t50 = fadd float %t49, %v2
  %t51 = fmul float %t50, %v0
  %t52 = fadd float %t51, %v1
  %t53 = fmul float %t52, %v2
  %t54 = fadd float %t53, %v0
  %t55 = fmul float %t54, %v1
  %t56 = fadd float %t55, %v2
  %t57 = fmul float %t56, %v0
  %t58 = fadd float %t57, %v1
  %t59 = fmul float %t58, %v2
  %t60 = fadd float %t59, %v0
  %t61 = fmul float %t60, %v1
  %t62 = fadd float %t61, %v2
  %t63 = fmul float %t62, %v0
  %more = fadd float %sum, %t63
  %i.next = add nuw nsw i32 %i, 1
  %goes.on = icmp slt i32 %i.next, %n
  br i1 %goes.on, label %head, label %done

done:
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %more, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @apart(ptr addrspace(1) %index, ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %head ]
  %sum = phi float [ 0.0, %entry ], [ %more, %head ]
  %wide = zext i32 %i to i64
  %row = shl i64 %wide, 12
  %place = add i64 %row, %id
  %from = getelementptr i32, ptr addrspace(1) %index, i64 %place
  %first = load i32, ptr addrspace(1) %from
  %start = sext i32 %first to i64
  %at0 = xor i64 %start, 8
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 %at0
  %v0 = load float, ptr addrspace(1) %p0
  %at1 = xor i64 %start, 16
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 %at1
  %v1 = load float, ptr addrspace(1) %p1
  %at2 = xor i64 %start, 32
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 %at2
  %v2 = load float, ptr addrspace(1) %p2
  %t0 = fadd float %v0, %v1
  %t1 = fmul float %v1, %v2
  %t2 = fadd float %v2, %v0
  %t3 = fmul float %t0, %v1
  %t4 = fadd float %t1, %v2
  %t5 = fmul float %t2, %v0
  %t6 = fadd float %t3, %v1
  %t7 = fmul float %t4, %v2
  %t8 = fadd float %t5, %v0
  %t9 = fmul float %t6, %v1
  %t10 = fadd float %t7, %v2
  %t11 = fmul float %t8, %v0
  %t12 = fadd float %t9, %v1
  %t13 = fmul float %t10, %v2
  %t14 = fadd float %t11, %v0
  %t15 = fmul float %t12, %v1
  %t16 = fadd float %t13, %v2
  %t17 = fmul float %t14, %v0
  %t18 = fadd float %t15, %v1
  %t19 = fmul float %t16, %v2
  %t20 = fadd float %t17, %v0
  %t21 = fmul float %t18, %v1
  %t22 = fadd float %t19, %v2
  %t23 = fmul float %t20, %v0
  %t24 = fadd float %t21, %v1
  %t25 = fmul float %t22, %v2
  %t26 = fadd float %t23, %v0
  %t27 = fmul float %t24, %v1
  %t28 = fadd float %t25, %v2
  %t29 = fmul float %t26, %v0
  %t30 = fadd float %t27, %v1
  %t31 = fmul float %t28, %v2
  %t32 = fadd float %t29, %v0
  %t33 = fmul float %t30, %v1
  %t34 = fadd float %t31, %v2
  %t35 = fmul float %t32, %v0
  %t36 = fadd float %t33, %v1
  %t37 = fmul float %t34, %v2
  %t38 = fadd float %t35, %v0
  %t39 = fmul float %t36, %v1
  %t40 = fadd float %t37, %v2
  %t41 = fmul float %t38, %v0
  %t42 = fadd float %t39, %v1
  %t43 = fmul float %t40, %v2
  %t44 = fadd float %t41, %v0
  %t45 = fmul float %t42, %v1
  %t46 = fadd float %t43, %v2
  %t47 = fmul float %t44, %v0
  %t48 = fadd float %t45, %v1
  %t49 = fmul float %t46, %v2
  %t50 = fadd float %t47, %v0
  %t51 = fmul float %t48, %v1
  %t52 = fadd float %t49, %v2
  %t53 = fmul float %t50, %v0
  %t54 = fadd float %t51, %v1
  %t55 = fmul float %t52, %v2
  %t56 = fadd float %t53, %v0
  %t57 = fmul float %t54, %v1
  %t58 = fadd float %t55, %v2
  %t59 = fmul float %t56, %v0
  %t60 = fadd float %t57, %v1
  %t61 = fmul float %t58, %v2
  %u1 = fadd float %t60, %t61
  %u2 = fadd float %u1, %t59
  %more = fadd float %sum, %u2
  %i.next = add nuw nsw i32 %i, 1
  %goes.on = icmp slt i32 %i.next, %n
  br i1 %goes.on, label %head, label %done

done:
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %more, ptr addrspace(1) %to
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4;packets=16
; Blocks that only those work-items run who come to the first of them are skipped together with it, though that lies among others.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @rare.region.0.packet(
; CHECK: {{^}}outer:
; CHECK-NEXT: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v16i1(
; CHECK-NEXT: br i1 [[ANY]], label %outer.any, label %done
; CHECK: {{^}}}
define spir_kernel void @rare(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %gid
  %is.in = icmp ult i64 %gid, %n
  br i1 %is.in, label %outer, label %done

outer:
  %v = load i32, ptr addrspace(1) %p
  %is.rare = icmp eq i32 %v, 7
  br i1 %is.rare, label %rare, label %done

rare:
  %q1 = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  %a = load i32, ptr addrspace(1) %q1
  %c1 = icmp sgt i32 %a, 10
  br i1 %c1, label %first, label %second

first:
  %b1 = mul i32 %a, 3
  store i32 %b1, ptr addrspace(1) %q1
  br label %third

second:
  %b2 = add i32 %a, 5
  store i32 %b2, ptr addrspace(1) %q1
  br label %third

third:
  %w = phi i32 [ %b1, %first ], [ %b2, %second ]
  %i1 = zext i32 %w to i64
  %q2 = getelementptr i32, ptr addrspace(1) %out, i64 %i1
  %d = load i32, ptr addrspace(1) %q2
  %c2 = icmp sgt i32 %d, 20
  br i1 %c2, label %fourth, label %fifth

fourth:
  %e1 = xor i32 %d, %a
  store i32 %e1, ptr addrspace(1) %q2
  br label %sixth

fifth:
  %e2 = sub i32 %d, %a
  store i32 %e2, ptr addrspace(1) %q2
  br label %sixth

sixth:
  %x = phi i32 [ %e1, %fourth ], [ %e2, %fifth ]
  %y1 = mul i32 %x, %x
  %y2 = add i32 %y1, %w
  %y3 = xor i32 %y2, 12345
  %y4 = mul i32 %y3, 77
  %y5 = add i32 %y4, %d
  %y6 = xor i32 %y5, %a
  %z0 = xor i32 %y6, 3
  %z1 = mul i32 %z0, 10
  %z2 = xor i32 %z1, 17
  %z3 = mul i32 %z2, 24
  %z4 = xor i32 %z3, 31
  %z5 = mul i32 %z4, 38
  %z6 = xor i32 %z5, 45
  %z7 = mul i32 %z6, 52
  %z8 = xor i32 %z7, 59
  %z9 = mul i32 %z8, 66
  %z10 = xor i32 %z9, 73
  %z11 = mul i32 %z10, 80
  %z12 = xor i32 %z11, 87
  %z13 = mul i32 %z12, 94
  %z14 = xor i32 %z13, 101
  %z15 = mul i32 %z14, 108
  %t0 = xor i32 %z15, 3
  %t1 = mul i32 %t0, 8
  %t2 = xor i32 %t1, 13
  %t3 = mul i32 %t2, 18
  %t4 = xor i32 %t3, 23
  %t5 = mul i32 %t4, 28
  %t6 = xor i32 %t5, 33
  %t7 = mul i32 %t6, 38
  %t8 = xor i32 %t7, 43
  %t9 = mul i32 %t8, 48
  %t10 = xor i32 %t9, 53
  %t11 = mul i32 %t10, 58
  %t12 = xor i32 %t11, 63
  %t13 = mul i32 %t12, 68
  %t14 = xor i32 %t13, 73
  %t15 = mul i32 %t14, 78
  %t16 = xor i32 %t15, 83
  %t17 = mul i32 %t16, 88
  %t18 = xor i32 %t17, 93
  %t19 = mul i32 %t18, 98
  %t20 = xor i32 %t19, 103
  %t21 = mul i32 %t20, 108
  %t22 = xor i32 %t21, 113
  %t23 = mul i32 %t22, 118
  %t24 = xor i32 %t23, 123
  %t25 = mul i32 %t24, 128
  %t26 = xor i32 %t25, 133
  %t27 = mul i32 %t26, 138
  %t28 = xor i32 %t27, 143
  %t29 = mul i32 %t28, 148
  %t30 = xor i32 %t29, 153
  %t31 = mul i32 %t30, 158
  %t32 = xor i32 %t31, 163
  %t33 = mul i32 %t32, 168
  %t34 = xor i32 %t33, 173
  %t35 = mul i32 %t34, 178
  %t36 = xor i32 %t35, 183
  %t37 = mul i32 %t36, 188
  %t38 = xor i32 %t37, 193
  %t39 = mul i32 %t38, 198
  store i32 %t39, ptr addrspace(1) %p
  br label %done

done:
  ret void
}

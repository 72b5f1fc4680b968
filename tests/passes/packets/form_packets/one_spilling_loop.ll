; RUN: --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Twenty sums of numbers that are made one of the other: loops of fewer sums would make all of them again. One loop keeps some sums on
; the stack, and its price has that.

declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fmuladd.f32(float, float, float)

; CHECK-LABEL: define {{.*}} @shared.region.0.packet(
; CHECK-NOT: .sums
; CHECK: {{^}}body:
; CHECK-COUNT-20: @llvm.fmuladd.v8f32(
; CHECK-NOT: .sums
; CHECK: {{^}}done:
; CHECK: = !{!"kernel shared, region 0: packets of 8 work-items{{.*}}costs packets 67.88,
define spir_kernel void @shared(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i64 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %body

body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %body ]
  %s1 = phi float [ 0.0, %entry ], [ %t1, %body ]
  %s2 = phi float [ 0.0, %entry ], [ %t2, %body ]
  %s3 = phi float [ 0.0, %entry ], [ %t3, %body ]
  %s4 = phi float [ 0.0, %entry ], [ %t4, %body ]
  %s5 = phi float [ 0.0, %entry ], [ %t5, %body ]
  %s6 = phi float [ 0.0, %entry ], [ %t6, %body ]
  %s7 = phi float [ 0.0, %entry ], [ %t7, %body ]
  %s8 = phi float [ 0.0, %entry ], [ %t8, %body ]
  %s9 = phi float [ 0.0, %entry ], [ %t9, %body ]
  %s10 = phi float [ 0.0, %entry ], [ %t10, %body ]
  %s11 = phi float [ 0.0, %entry ], [ %t11, %body ]
  %s12 = phi float [ 0.0, %entry ], [ %t12, %body ]
  %s13 = phi float [ 0.0, %entry ], [ %t13, %body ]
  %s14 = phi float [ 0.0, %entry ], [ %t14, %body ]
  %s15 = phi float [ 0.0, %entry ], [ %t15, %body ]
  %s16 = phi float [ 0.0, %entry ], [ %t16, %body ]
  %s17 = phi float [ 0.0, %entry ], [ %t17, %body ]
  %s18 = phi float [ 0.0, %entry ], [ %t18, %body ]
  %s19 = phi float [ 0.0, %entry ], [ %t19, %body ]
  %first = shl i64 %k, 12
  %j = add i64 %first, %x
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %j
  %vb = load float, ptr addrspace(1) %pb
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %w0 = load i32, ptr addrspace(1) %pa
  %m0 = mul i32 %w0, 1664525
  %r0 = lshr i32 %m0, 7
  %y0 = xor i32 %m0, %r0
  %w1 = add i32 %y0, 7
  %f0 = sitofp i32 %w1 to float
  %m1 = mul i32 %w1, 1664527
  %r1 = lshr i32 %m1, 7
  %y1 = xor i32 %m1, %r1
  %w2 = add i32 %y1, 8
  %f1 = sitofp i32 %w2 to float
  %m2 = mul i32 %w2, 1664529
  %r2 = lshr i32 %m2, 7
  %y2 = xor i32 %m2, %r2
  %w3 = add i32 %y2, 9
  %f2 = sitofp i32 %w3 to float
  %m3 = mul i32 %w3, 1664531
  %r3 = lshr i32 %m3, 7
  %y3 = xor i32 %m3, %r3
  %w4 = add i32 %y3, 10
  %f3 = sitofp i32 %w4 to float
  %m4 = mul i32 %w4, 1664533
  %r4 = lshr i32 %m4, 7
  %y4 = xor i32 %m4, %r4
  %w5 = add i32 %y4, 11
  %f4 = sitofp i32 %w5 to float
  %m5 = mul i32 %w5, 1664535
  %r5 = lshr i32 %m5, 7
  %y5 = xor i32 %m5, %r5
  %w6 = add i32 %y5, 12
  %f5 = sitofp i32 %w6 to float
  %m6 = mul i32 %w6, 1664537
  %r6 = lshr i32 %m6, 7
  %y6 = xor i32 %m6, %r6
  %w7 = add i32 %y6, 13
  %f6 = sitofp i32 %w7 to float
  %m7 = mul i32 %w7, 1664539
  %r7 = lshr i32 %m7, 7
  %y7 = xor i32 %m7, %r7
  %w8 = add i32 %y7, 14
  %f7 = sitofp i32 %w8 to float
  %m8 = mul i32 %w8, 1664541
  %r8 = lshr i32 %m8, 7
  %y8 = xor i32 %m8, %r8
  %w9 = add i32 %y8, 15
  %f8 = sitofp i32 %w9 to float
  %m9 = mul i32 %w9, 1664543
  %r9 = lshr i32 %m9, 7
  %y9 = xor i32 %m9, %r9
  %w10 = add i32 %y9, 16
  %f9 = sitofp i32 %w10 to float
  %m10 = mul i32 %w10, 1664545
  %r10 = lshr i32 %m10, 7
  %y10 = xor i32 %m10, %r10
  %w11 = add i32 %y10, 17
  %f10 = sitofp i32 %w11 to float
  %m11 = mul i32 %w11, 1664547
  %r11 = lshr i32 %m11, 7
  %y11 = xor i32 %m11, %r11
  %w12 = add i32 %y11, 18
  %f11 = sitofp i32 %w12 to float
  %m12 = mul i32 %w12, 1664549
  %r12 = lshr i32 %m12, 7
  %y12 = xor i32 %m12, %r12
  %w13 = add i32 %y12, 19
  %f12 = sitofp i32 %w13 to float
  %m13 = mul i32 %w13, 1664551
  %r13 = lshr i32 %m13, 7
  %y13 = xor i32 %m13, %r13
  %w14 = add i32 %y13, 20
  %f13 = sitofp i32 %w14 to float
  %m14 = mul i32 %w14, 1664553
  %r14 = lshr i32 %m14, 7
  %y14 = xor i32 %m14, %r14
  %w15 = add i32 %y14, 21
  %f14 = sitofp i32 %w15 to float
  %m15 = mul i32 %w15, 1664555
  %r15 = lshr i32 %m15, 7
  %y15 = xor i32 %m15, %r15
  %w16 = add i32 %y15, 22
  %f15 = sitofp i32 %w16 to float
  %m16 = mul i32 %w16, 1664557
  %r16 = lshr i32 %m16, 7
  %y16 = xor i32 %m16, %r16
  %w17 = add i32 %y16, 23
  %f16 = sitofp i32 %w17 to float
  %m17 = mul i32 %w17, 1664559
  %r17 = lshr i32 %m17, 7
  %y17 = xor i32 %m17, %r17
  %w18 = add i32 %y17, 24
  %f17 = sitofp i32 %w18 to float
  %m18 = mul i32 %w18, 1664561
  %r18 = lshr i32 %m18, 7
  %y18 = xor i32 %m18, %r18
  %w19 = add i32 %y18, 25
  %f18 = sitofp i32 %w19 to float
  %m19 = mul i32 %w19, 1664563
  %r19 = lshr i32 %m19, 7
  %y19 = xor i32 %m19, %r19
  %w20 = add i32 %y19, 26
  %f19 = sitofp i32 %w20 to float
  %g0 = fadd float %f0, %f19
  %t0 = call float @llvm.fmuladd.f32(float %g0, float %vb, float %s0)
  %g1 = fadd float %f1, %f19
  %t1 = call float @llvm.fmuladd.f32(float %g1, float %vb, float %s1)
  %g2 = fadd float %f2, %f19
  %t2 = call float @llvm.fmuladd.f32(float %g2, float %vb, float %s2)
  %g3 = fadd float %f3, %f19
  %t3 = call float @llvm.fmuladd.f32(float %g3, float %vb, float %s3)
  %g4 = fadd float %f4, %f19
  %t4 = call float @llvm.fmuladd.f32(float %g4, float %vb, float %s4)
  %g5 = fadd float %f5, %f19
  %t5 = call float @llvm.fmuladd.f32(float %g5, float %vb, float %s5)
  %g6 = fadd float %f6, %f19
  %t6 = call float @llvm.fmuladd.f32(float %g6, float %vb, float %s6)
  %g7 = fadd float %f7, %f19
  %t7 = call float @llvm.fmuladd.f32(float %g7, float %vb, float %s7)
  %g8 = fadd float %f8, %f19
  %t8 = call float @llvm.fmuladd.f32(float %g8, float %vb, float %s8)
  %g9 = fadd float %f9, %f19
  %t9 = call float @llvm.fmuladd.f32(float %g9, float %vb, float %s9)
  %g10 = fadd float %f10, %f19
  %t10 = call float @llvm.fmuladd.f32(float %g10, float %vb, float %s10)
  %g11 = fadd float %f11, %f19
  %t11 = call float @llvm.fmuladd.f32(float %g11, float %vb, float %s11)
  %g12 = fadd float %f12, %f19
  %t12 = call float @llvm.fmuladd.f32(float %g12, float %vb, float %s12)
  %g13 = fadd float %f13, %f19
  %t13 = call float @llvm.fmuladd.f32(float %g13, float %vb, float %s13)
  %g14 = fadd float %f14, %f19
  %t14 = call float @llvm.fmuladd.f32(float %g14, float %vb, float %s14)
  %g15 = fadd float %f15, %f19
  %t15 = call float @llvm.fmuladd.f32(float %g15, float %vb, float %s15)
  %g16 = fadd float %f16, %f19
  %t16 = call float @llvm.fmuladd.f32(float %g16, float %vb, float %s16)
  %g17 = fadd float %f17, %f19
  %t17 = call float @llvm.fmuladd.f32(float %g17, float %vb, float %s17)
  %g18 = fadd float %f18, %f19
  %t18 = call float @llvm.fmuladd.f32(float %g18, float %vb, float %s18)
  %g19 = fadd float %f19, %f19
  %t19 = call float @llvm.fmuladd.f32(float %g19, float %vb, float %s19)
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %body, label %done

done:
  %ic0 = add i64 %x, 0
  %pc0 = getelementptr float, ptr addrspace(1) %c, i64 %ic0
  store float %t0, ptr addrspace(1) %pc0
  %ic1 = add i64 %x, 1024
  %pc1 = getelementptr float, ptr addrspace(1) %c, i64 %ic1
  store float %t1, ptr addrspace(1) %pc1
  %ic2 = add i64 %x, 2048
  %pc2 = getelementptr float, ptr addrspace(1) %c, i64 %ic2
  store float %t2, ptr addrspace(1) %pc2
  %ic3 = add i64 %x, 3072
  %pc3 = getelementptr float, ptr addrspace(1) %c, i64 %ic3
  store float %t3, ptr addrspace(1) %pc3
  %ic4 = add i64 %x, 4096
  %pc4 = getelementptr float, ptr addrspace(1) %c, i64 %ic4
  store float %t4, ptr addrspace(1) %pc4
  %ic5 = add i64 %x, 5120
  %pc5 = getelementptr float, ptr addrspace(1) %c, i64 %ic5
  store float %t5, ptr addrspace(1) %pc5
  %ic6 = add i64 %x, 6144
  %pc6 = getelementptr float, ptr addrspace(1) %c, i64 %ic6
  store float %t6, ptr addrspace(1) %pc6
  %ic7 = add i64 %x, 7168
  %pc7 = getelementptr float, ptr addrspace(1) %c, i64 %ic7
  store float %t7, ptr addrspace(1) %pc7
  %ic8 = add i64 %x, 8192
  %pc8 = getelementptr float, ptr addrspace(1) %c, i64 %ic8
  store float %t8, ptr addrspace(1) %pc8
  %ic9 = add i64 %x, 9216
  %pc9 = getelementptr float, ptr addrspace(1) %c, i64 %ic9
  store float %t9, ptr addrspace(1) %pc9
  %ic10 = add i64 %x, 10240
  %pc10 = getelementptr float, ptr addrspace(1) %c, i64 %ic10
  store float %t10, ptr addrspace(1) %pc10
  %ic11 = add i64 %x, 11264
  %pc11 = getelementptr float, ptr addrspace(1) %c, i64 %ic11
  store float %t11, ptr addrspace(1) %pc11
  %ic12 = add i64 %x, 12288
  %pc12 = getelementptr float, ptr addrspace(1) %c, i64 %ic12
  store float %t12, ptr addrspace(1) %pc12
  %ic13 = add i64 %x, 13312
  %pc13 = getelementptr float, ptr addrspace(1) %c, i64 %ic13
  store float %t13, ptr addrspace(1) %pc13
  %ic14 = add i64 %x, 14336
  %pc14 = getelementptr float, ptr addrspace(1) %c, i64 %ic14
  store float %t14, ptr addrspace(1) %pc14
  %ic15 = add i64 %x, 15360
  %pc15 = getelementptr float, ptr addrspace(1) %c, i64 %ic15
  store float %t15, ptr addrspace(1) %pc15
  %ic16 = add i64 %x, 16384
  %pc16 = getelementptr float, ptr addrspace(1) %c, i64 %ic16
  store float %t16, ptr addrspace(1) %pc16
  %ic17 = add i64 %x, 17408
  %pc17 = getelementptr float, ptr addrspace(1) %c, i64 %ic17
  store float %t17, ptr addrspace(1) %pc17
  %ic18 = add i64 %x, 18432
  %pc18 = getelementptr float, ptr addrspace(1) %c, i64 %ic18
  store float %t18, ptr addrspace(1) %pc18
  %ic19 = add i64 %x, 19456
  %pc19 = getelementptr float, ptr addrspace(1) %c, i64 %ic19
  store float %t19, ptr addrspace(1) %pc19
  ret void
}

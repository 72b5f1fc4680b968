; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Sixteen sums that share one vector become loops of about as many sums each, for two packets side by side: a loop of few sums would
; wait for them.

declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fmuladd.f32(float, float, float)

; CHECK-LABEL: define {{.*}} @column.region.0.packet(
; CHECK: {{^}}body.sums:
; CHECK-COUNT-4: @llvm.fmuladd.v4f32(
; CHECK-NOT: @llvm.fmuladd
; CHECK: {{^}}body.next:
; CHECK-COUNT-6: @llvm.fmuladd.v4f32(
; CHECK-NOT: @llvm.fmuladd
; CHECK: {{^}}body.next{{.+}}:
; CHECK-COUNT-6: @llvm.fmuladd.v4f32(
; CHECK-NOT: @llvm.fmuladd
; CHECK: {{^}}done:
define spir_kernel void @column(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i64 %n) "target-features"="+fma" {
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
  %first = shl i64 %k, 12
  %j = add i64 %first, %x
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %j
  %vb = load float, ptr addrspace(1) %pb
  %i0 = add i64 %k, 0
  %pa0 = getelementptr float, ptr addrspace(1) %a, i64 %i0
  %va0 = load float, ptr addrspace(1) %pa0
  %t0 = call float @llvm.fmuladd.f32(float %va0, float %vb, float %s0)
  %i1 = add i64 %k, 1024
  %pa1 = getelementptr float, ptr addrspace(1) %a, i64 %i1
  %va1 = load float, ptr addrspace(1) %pa1
  %t1 = call float @llvm.fmuladd.f32(float %va1, float %vb, float %s1)
  %i2 = add i64 %k, 2048
  %pa2 = getelementptr float, ptr addrspace(1) %a, i64 %i2
  %va2 = load float, ptr addrspace(1) %pa2
  %t2 = call float @llvm.fmuladd.f32(float %va2, float %vb, float %s2)
  %i3 = add i64 %k, 3072
  %pa3 = getelementptr float, ptr addrspace(1) %a, i64 %i3
  %va3 = load float, ptr addrspace(1) %pa3
  %t3 = call float @llvm.fmuladd.f32(float %va3, float %vb, float %s3)
  %i4 = add i64 %k, 4096
  %pa4 = getelementptr float, ptr addrspace(1) %a, i64 %i4
  %va4 = load float, ptr addrspace(1) %pa4
  %t4 = call float @llvm.fmuladd.f32(float %va4, float %vb, float %s4)
  %i5 = add i64 %k, 5120
  %pa5 = getelementptr float, ptr addrspace(1) %a, i64 %i5
  %va5 = load float, ptr addrspace(1) %pa5
  %t5 = call float @llvm.fmuladd.f32(float %va5, float %vb, float %s5)
  %i6 = add i64 %k, 6144
  %pa6 = getelementptr float, ptr addrspace(1) %a, i64 %i6
  %va6 = load float, ptr addrspace(1) %pa6
  %t6 = call float @llvm.fmuladd.f32(float %va6, float %vb, float %s6)
  %i7 = add i64 %k, 7168
  %pa7 = getelementptr float, ptr addrspace(1) %a, i64 %i7
  %va7 = load float, ptr addrspace(1) %pa7
  %t7 = call float @llvm.fmuladd.f32(float %va7, float %vb, float %s7)
  %i8 = add i64 %k, 8192
  %pa8 = getelementptr float, ptr addrspace(1) %a, i64 %i8
  %va8 = load float, ptr addrspace(1) %pa8
  %t8 = call float @llvm.fmuladd.f32(float %va8, float %vb, float %s8)
  %i9 = add i64 %k, 9216
  %pa9 = getelementptr float, ptr addrspace(1) %a, i64 %i9
  %va9 = load float, ptr addrspace(1) %pa9
  %t9 = call float @llvm.fmuladd.f32(float %va9, float %vb, float %s9)
  %i10 = add i64 %k, 10240
  %pa10 = getelementptr float, ptr addrspace(1) %a, i64 %i10
  %va10 = load float, ptr addrspace(1) %pa10
  %t10 = call float @llvm.fmuladd.f32(float %va10, float %vb, float %s10)
  %i11 = add i64 %k, 11264
  %pa11 = getelementptr float, ptr addrspace(1) %a, i64 %i11
  %va11 = load float, ptr addrspace(1) %pa11
  %t11 = call float @llvm.fmuladd.f32(float %va11, float %vb, float %s11)
  %i12 = add i64 %k, 12288
  %pa12 = getelementptr float, ptr addrspace(1) %a, i64 %i12
  %va12 = load float, ptr addrspace(1) %pa12
  %t12 = call float @llvm.fmuladd.f32(float %va12, float %vb, float %s12)
  %i13 = add i64 %k, 13312
  %pa13 = getelementptr float, ptr addrspace(1) %a, i64 %i13
  %va13 = load float, ptr addrspace(1) %pa13
  %t13 = call float @llvm.fmuladd.f32(float %va13, float %vb, float %s13)
  %i14 = add i64 %k, 14336
  %pa14 = getelementptr float, ptr addrspace(1) %a, i64 %i14
  %va14 = load float, ptr addrspace(1) %pa14
  %t14 = call float @llvm.fmuladd.f32(float %va14, float %vb, float %s14)
  %i15 = add i64 %k, 15360
  %pa15 = getelementptr float, ptr addrspace(1) %a, i64 %i15
  %va15 = load float, ptr addrspace(1) %pa15
  %t15 = call float @llvm.fmuladd.f32(float %va15, float %vb, float %s15)
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
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A loop that adds up 4 x 4 products has more sums than this processor has registers. It becomes several loops, one after the other,
; each of which reads again what belongs to its own sums. Sums that share what is dear to read are in one loop.

declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fmuladd.f32(float, float, float)

; CHECK-LABEL: define {{.*}} @products.region.0.packet(
; CHECK: {{^}}body.sums:
; CHECK-COUNT-8: @llvm.fmuladd.v4f32(
; CHECK-NOT: @llvm.fmuladd
; CHECK: {{^}}body.next:
; CHECK: {{^}}body:
; CHECK-COUNT-8: @llvm.fmuladd.v4f32(
; CHECK-NOT: @llvm.fmuladd
; CHECK: {{^}}done:
define spir_kernel void @products(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i64 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %body

body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %s00 = phi float [ 0.0, %entry ], [ %t00, %body ]
  %s01 = phi float [ 0.0, %entry ], [ %t01, %body ]
  %s02 = phi float [ 0.0, %entry ], [ %t02, %body ]
  %s03 = phi float [ 0.0, %entry ], [ %t03, %body ]
  %s10 = phi float [ 0.0, %entry ], [ %t10, %body ]
  %s11 = phi float [ 0.0, %entry ], [ %t11, %body ]
  %s12 = phi float [ 0.0, %entry ], [ %t12, %body ]
  %s13 = phi float [ 0.0, %entry ], [ %t13, %body ]
  %s20 = phi float [ 0.0, %entry ], [ %t20, %body ]
  %s21 = phi float [ 0.0, %entry ], [ %t21, %body ]
  %s22 = phi float [ 0.0, %entry ], [ %t22, %body ]
  %s23 = phi float [ 0.0, %entry ], [ %t23, %body ]
  %s30 = phi float [ 0.0, %entry ], [ %t30, %body ]
  %s31 = phi float [ 0.0, %entry ], [ %t31, %body ]
  %s32 = phi float [ 0.0, %entry ], [ %t32, %body ]
  %s33 = phi float [ 0.0, %entry ], [ %t33, %body ]
  %first = shl i64 %k, 12
  %ia0 = add i64 %first, 0
  %ja0 = add i64 %ia0, %x
  %pa0 = getelementptr float, ptr addrspace(1) %a, i64 %ja0
  %va0 = load float, ptr addrspace(1) %pa0
  %ia1 = add i64 %first, 1024
  %ja1 = add i64 %ia1, %x
  %pa1 = getelementptr float, ptr addrspace(1) %a, i64 %ja1
  %va1 = load float, ptr addrspace(1) %pa1
  %ia2 = add i64 %first, 2048
  %ja2 = add i64 %ia2, %x
  %pa2 = getelementptr float, ptr addrspace(1) %a, i64 %ja2
  %va2 = load float, ptr addrspace(1) %pa2
  %ia3 = add i64 %first, 3072
  %ja3 = add i64 %ia3, %x
  %pa3 = getelementptr float, ptr addrspace(1) %a, i64 %ja3
  %va3 = load float, ptr addrspace(1) %pa3
  %ib0 = add i64 %k, 0
  %pb0 = getelementptr float, ptr addrspace(1) %b, i64 %ib0
  %vb0 = load float, ptr addrspace(1) %pb0
  %ib1 = add i64 %k, 1024
  %pb1 = getelementptr float, ptr addrspace(1) %b, i64 %ib1
  %vb1 = load float, ptr addrspace(1) %pb1
  %ib2 = add i64 %k, 2048
  %pb2 = getelementptr float, ptr addrspace(1) %b, i64 %ib2
  %vb2 = load float, ptr addrspace(1) %pb2
  %ib3 = add i64 %k, 3072
  %pb3 = getelementptr float, ptr addrspace(1) %b, i64 %ib3
  %vb3 = load float, ptr addrspace(1) %pb3
  %t00 = call float @llvm.fmuladd.f32(float %va0, float %vb0, float %s00)
  %t01 = call float @llvm.fmuladd.f32(float %va0, float %vb1, float %s01)
  %t02 = call float @llvm.fmuladd.f32(float %va0, float %vb2, float %s02)
  %t03 = call float @llvm.fmuladd.f32(float %va0, float %vb3, float %s03)
  %t10 = call float @llvm.fmuladd.f32(float %va1, float %vb0, float %s10)
  %t11 = call float @llvm.fmuladd.f32(float %va1, float %vb1, float %s11)
  %t12 = call float @llvm.fmuladd.f32(float %va1, float %vb2, float %s12)
  %t13 = call float @llvm.fmuladd.f32(float %va1, float %vb3, float %s13)
  %t20 = call float @llvm.fmuladd.f32(float %va2, float %vb0, float %s20)
  %t21 = call float @llvm.fmuladd.f32(float %va2, float %vb1, float %s21)
  %t22 = call float @llvm.fmuladd.f32(float %va2, float %vb2, float %s22)
  %t23 = call float @llvm.fmuladd.f32(float %va2, float %vb3, float %s23)
  %t30 = call float @llvm.fmuladd.f32(float %va3, float %vb0, float %s30)
  %t31 = call float @llvm.fmuladd.f32(float %va3, float %vb1, float %s31)
  %t32 = call float @llvm.fmuladd.f32(float %va3, float %vb2, float %s32)
  %t33 = call float @llvm.fmuladd.f32(float %va3, float %vb3, float %s33)
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %body, label %done

done:
  %ic00 = add i64 %x, 0
  %pc00 = getelementptr float, ptr addrspace(1) %c, i64 %ic00
  store float %t00, ptr addrspace(1) %pc00
  %ic01 = add i64 %x, 1024
  %pc01 = getelementptr float, ptr addrspace(1) %c, i64 %ic01
  store float %t01, ptr addrspace(1) %pc01
  %ic02 = add i64 %x, 2048
  %pc02 = getelementptr float, ptr addrspace(1) %c, i64 %ic02
  store float %t02, ptr addrspace(1) %pc02
  %ic03 = add i64 %x, 3072
  %pc03 = getelementptr float, ptr addrspace(1) %c, i64 %ic03
  store float %t03, ptr addrspace(1) %pc03
  %ic10 = add i64 %x, 4096
  %pc10 = getelementptr float, ptr addrspace(1) %c, i64 %ic10
  store float %t10, ptr addrspace(1) %pc10
  %ic11 = add i64 %x, 5120
  %pc11 = getelementptr float, ptr addrspace(1) %c, i64 %ic11
  store float %t11, ptr addrspace(1) %pc11
  %ic12 = add i64 %x, 6144
  %pc12 = getelementptr float, ptr addrspace(1) %c, i64 %ic12
  store float %t12, ptr addrspace(1) %pc12
  %ic13 = add i64 %x, 7168
  %pc13 = getelementptr float, ptr addrspace(1) %c, i64 %ic13
  store float %t13, ptr addrspace(1) %pc13
  %ic20 = add i64 %x, 8192
  %pc20 = getelementptr float, ptr addrspace(1) %c, i64 %ic20
  store float %t20, ptr addrspace(1) %pc20
  %ic21 = add i64 %x, 9216
  %pc21 = getelementptr float, ptr addrspace(1) %c, i64 %ic21
  store float %t21, ptr addrspace(1) %pc21
  %ic22 = add i64 %x, 10240
  %pc22 = getelementptr float, ptr addrspace(1) %c, i64 %ic22
  store float %t22, ptr addrspace(1) %pc22
  %ic23 = add i64 %x, 11264
  %pc23 = getelementptr float, ptr addrspace(1) %c, i64 %ic23
  store float %t23, ptr addrspace(1) %pc23
  %ic30 = add i64 %x, 12288
  %pc30 = getelementptr float, ptr addrspace(1) %c, i64 %ic30
  store float %t30, ptr addrspace(1) %pc30
  %ic31 = add i64 %x, 13312
  %pc31 = getelementptr float, ptr addrspace(1) %c, i64 %ic31
  store float %t31, ptr addrspace(1) %pc31
  %ic32 = add i64 %x, 14336
  %pc32 = getelementptr float, ptr addrspace(1) %c, i64 %ic32
  store float %t32, ptr addrspace(1) %pc32
  %ic33 = add i64 %x, 15360
  %pc33 = getelementptr float, ptr addrspace(1) %c, i64 %ic33
  store float %t33, ptr addrspace(1) %pc33
  ret void
}

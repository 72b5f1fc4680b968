; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v3;packets=4
; A function that is no larger than its call becomes part of the region, however much else would have to.

declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)

define internal i32 @rotate(i32 %v) {
  %rotated = call i32 @llvm.fshl.i32(i32 %v, i32 %v, i32 7)
  ret i32 %rotated
}

define internal i32 @level0(i32 %v0) {
  %v1 = mul i32 %v0, %v0
  %v2 = mul i32 %v1, %v0
  %v3 = mul i32 %v2, %v1
  %v4 = mul i32 %v3, %v2
  %v5 = mul i32 %v4, %v3
  %v6 = mul i32 %v5, %v4
  %v7 = mul i32 %v6, %v5
  %v8 = mul i32 %v7, %v6
  %v9 = mul i32 %v8, %v7
  %v10 = mul i32 %v9, %v8
  %v11 = mul i32 %v10, %v9
  %v12 = mul i32 %v11, %v10
  ret i32 %v12
}

define internal i32 @level1(i32 %v0) {
  %v1 = call i32 @level0(i32 %v0)
  %v2 = call i32 @level0(i32 %v1)
  %v3 = call i32 @level0(i32 %v2)
  %v4 = call i32 @level0(i32 %v3)
  %v5 = call i32 @level0(i32 %v4)
  %v6 = call i32 @level0(i32 %v5)
  %v7 = call i32 @level0(i32 %v6)
  %v8 = call i32 @level0(i32 %v7)
  %v9 = call i32 @level0(i32 %v8)
  %v10 = call i32 @level0(i32 %v9)
  %v11 = call i32 @level0(i32 %v10)
  %v12 = call i32 @level0(i32 %v11)
  ret i32 %v12
}

define internal i32 @level2(i32 %v0) {
  %v1 = call i32 @level1(i32 %v0)
  %v2 = call i32 @level1(i32 %v1)
  %v3 = call i32 @level1(i32 %v2)
  %v4 = call i32 @level1(i32 %v3)
  %v5 = call i32 @level1(i32 %v4)
  %v6 = call i32 @level1(i32 %v5)
  %v7 = call i32 @level1(i32 %v6)
  %v8 = call i32 @level1(i32 %v7)
  %v9 = call i32 @level1(i32 %v8)
  %v10 = call i32 @level1(i32 %v9)
  %v11 = call i32 @level1(i32 %v10)
  %v12 = call i32 @level1(i32 %v11)
  ret i32 %v12
}

define internal i32 @level3(i32 %v0) {
  %v1 = call i32 @level2(i32 %v0)
  %v2 = call i32 @level2(i32 %v1)
  %v3 = call i32 @level2(i32 %v2)
  %v4 = call i32 @level2(i32 %v3)
  %v5 = call i32 @level2(i32 %v4)
  %v6 = call i32 @level2(i32 %v5)
  %v7 = call i32 @level2(i32 %v6)
  %v8 = call i32 @level2(i32 %v7)
  %v9 = call i32 @level2(i32 %v8)
  %v10 = call i32 @level2(i32 %v9)
  %v11 = call i32 @level2(i32 %v10)
  %v12 = call i32 @level2(i32 %v11)
  ret i32 %v12
}

; CHECK-LABEL: define {{.*}} @much.region.0.packet(
; CHECK: call <4 x i32> @llvm.fshl.v4i32(
; CHECK: call {{.*}}i32 @level
define spir_kernel void @much(ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %turned = call i32 @rotate(i32 %v)
  %r = call i32 @level3(i32 %turned)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

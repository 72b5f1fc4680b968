; RUN: --target=x86_64;cpu=x86-64-v3;packets=off --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; An array that is needed after a barrier lives in the context, once for each work-item. One that is dead at the barrier stays
; in the frame if small, and shares one place in the context if large.

declare spir_func void @_Z7barrierj(i32)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: start:
; CHECK-NEXT: %small = alloca [4 x i32]
; CHECK-NOT: alloca
; CHECK-DAG: [[LARGE:%.*]] = getelementptr inbounds i8, ptr %context, i64 0
; CHECK-DAG: mul nuw i64 %item.index, 32
; CHECK: call void @llvm.lifetime.start.p0(ptr %small)
; CHECK-NOT: call void @llvm.lifetime.start
; CHECK: store volatile i32 3, ptr [[LARGE]]
; CHECK-LABEL: define i32 @k.region.1(
; CHECK-NOT: alloca
; CHECK: mul nuw i64 %item.index, 32
; CHECK: "quern-context-item-bytes"="32" "quern-context-uniform-bytes"="8064"{{.*}}"quern-private-bytes"="8016"
define spir_kernel void @k(ptr addrspace(1) %p) {
  %crossing = alloca [8 x i32]
  %small = alloca [4 x i32]
  %large = alloca [2000 x i32]
  store i32 1, ptr %crossing
  call void @llvm.lifetime.start.p0(ptr %small)
  store volatile i32 2, ptr %small
  call void @llvm.lifetime.end.p0(ptr %small)
  call void @llvm.lifetime.start.p0(ptr %large)
  store volatile i32 3, ptr %large
  call void @llvm.lifetime.end.p0(ptr %large)
  call spir_func void @_Z7barrierj(i32 1)
  %x = load i32, ptr %crossing
  store i32 %x, ptr addrspace(1) %p
  ret void
}

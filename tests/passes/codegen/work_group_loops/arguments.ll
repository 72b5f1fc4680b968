; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; The argument block: natural alignment in the block, local pointers as offsets, structs copied to where they are aligned.

%S = type { i64, i32 }

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: %local = load ptr addrspace(3), ptr
; CHECK: getelementptr inbounds i8, ptr %arguments, i64 0
; CHECK: %c = load i8, ptr {{%.*}}, align 1
; CHECK: getelementptr inbounds i8, ptr %arguments, i64 16
; CHECK: %v = load <4 x float>, ptr {{%.*}}, align 1
; CHECK: getelementptr inbounds i8, ptr %arguments, i64 32
; CHECK: [[OFFSET:%.*]] = load i64, ptr {{%.*}}, align 1
; CHECK: %l = getelementptr inbounds i8, ptr addrspace(3) %local, i64 [[OFFSET]]
; CHECK: [[STRUCT:%.*]] = getelementptr inbounds i8, ptr %arguments, i64 40
; CHECK: %s = alloca [16 x i8], align 8
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %s, ptr align 1 [[STRUCT]], i64 16, i1 false)
define spir_kernel void @k(i8 %c, <4 x float> %v, ptr addrspace(3) %l, ptr byval(%S) align 8 %s) {
  %x = load i64, ptr %s
  store i64 %x, ptr addrspace(3) %l
  store i8 %c, ptr addrspace(3) %l
  store <4 x float> %v, ptr addrspace(3) %l
  ret void
}

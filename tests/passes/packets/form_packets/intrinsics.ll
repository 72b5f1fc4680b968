; RUN: --target=x86_64;cpu=x86-64-v4;packets=16 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Intrinsics without a form for vectors become plain operations, questions for constants and sizes are answered before, and a packet
; prefetches once for each line of the cache where its addresses are even.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @overflow.region.0.packet(
; CHECK: [[SUM:%.*]] = add <16 x i32> [[A:%.*]], {{%.*}}
; CHECK: [[CARRY:%.*]] = icmp ult <16 x i32> [[SUM]], [[A]]
; CHECK: select <16 x i1> [[CARRY]], <16 x i32> splat (i32 7), <16 x i32> [[SUM]]
; CHECK-NOT: with.overflow
; CHECK: ret i32
define spir_kernel void @overflow(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %gid
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %gid
  %va = load i32, ptr addrspace(1) %pa, !noundef !0
  %vb = load i32, ptr addrspace(1) %pb, !noundef !0
  %both = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %va, i32 %vb)
  %sum = extractvalue {i32, i1} %both, 0
  %carry = extractvalue {i32, i1} %both, 1
  %saturated = select i1 %carry, i32 7, i32 %sum
  store i32 %saturated, ptr addrspace(1) %pb
  ret void
}

; CHECK-LABEL: define {{.*}} @products.region.0.packet(
; CHECK: sext <16 x i32> {{%.*}} to <16 x i64>
; CHECK: [[PRODUCT:%.*]] = mul {{.*}}<16 x i64>
; CHECK: lshr <16 x i64> [[PRODUCT]], splat (i64 32)
; CHECK: ashr <16 x i32> {{%.*}}, splat (i32 31)
; CHECK: icmp {{ne|eq}} <16 x i32>
; CHECK: ret i32
define spir_kernel void @products(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %gid
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %gid
  %va = load i32, ptr addrspace(1) %pa, !noundef !0
  %vb = load i32, ptr addrspace(1) %pb, !noundef !0
  %both = call {i32, i1} @llvm.smul.with.overflow.i32(i32 %va, i32 %vb)
  %product = extractvalue {i32, i1} %both, 0
  %wraps = extractvalue {i32, i1} %both, 1
  %kept = select i1 %wraps, i32 0, i32 %product
  store i32 %kept, ptr addrspace(1) %pb
  ret void
}

; CHECK-LABEL: define {{.*}} @hints.region.0.packet(
; CHECK-COUNT-3: call void @llvm.prefetch.p1(
; CHECK-NOT: call void @llvm.prefetch.p1(
; CHECK-NOT: llvm.is.constant
; CHECK-NOT: llvm.objectsize
; CHECK: ret i32
define spir_kernel void @hints(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %gid
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %gid
  call void @llvm.prefetch.p1(ptr addrspace(1) %pa, i32 0, i32 3, i32 1)
  call void @llvm.prefetch.p1(ptr addrspace(1) %c, i32 0, i32 3, i32 1)
  %va = load i32, ptr addrspace(1) %pb
  %known = call i1 @llvm.is.constant.i32(i32 %va)
  %size = call i32 @llvm.objectsize.i32.p1(ptr addrspace(1) %pa, i1 false, i1 true, i1 false)
  %square = mul i32 %va, %va
  %chosen = select i1 %known, i32 %va, i32 %square
  %sum = add i32 %chosen, %size
  store i32 %sum, ptr addrspace(1) %pb
  ret void
}

; CHECK-LABEL: define {{.*}} @scattered.region.0.packet(
; CHECK-COUNT-16: call void @llvm.prefetch.p1(
; CHECK-NOT: call void @llvm.prefetch.p1(
; CHECK: ret i32
define spir_kernel void @scattered(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %gid
  %index = load i32, ptr addrspace(1) %pb
  %wide = sext i32 %index to i64
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %wide
  call void @llvm.prefetch.p1(ptr addrspace(1) %pa, i32 0, i32 3, i32 1)
  %square = mul i32 %index, %index
  store i32 %square, ptr addrspace(1) %pb
  ret void
}

; CHECK-LABEL: define {{.*}} @aligned.region.0.packet(
; CHECK-NOT: llvm.ptrmask
; CHECK: ret i32
define spir_kernel void @aligned(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %gid
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %gid
  %line = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %pa, i64 -64)
  %first = load i32, ptr addrspace(1) %line
  store i32 %first, ptr addrspace(1) %pb
  ret void
}

!0 = !{}

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4
; Vectors of the program that only meet whole stay as they lie in memory, as many in a packet as fill a register. Where more is done with
; their elements than with all of them, these come apart.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define i32 @bytes.region.0.packet(
; At the edge each work-item's bit is that of all its elements.
; CHECK: %[[MASK:.*]] = shufflevector <16 x i1> %{{.*}}, <16 x i1> poison, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1
; CHECK: call <64 x i8> @llvm.masked.load.v64i8.p1({{.*}}, <64 x i1> %[[MASK]]
; CHECK-LABEL: define i32 @bytes.region.0.tile(
; CHECK: phi <64 x i8>
; CHECK: load <64 x i8>, ptr addrspace(1)
; CHECK: add <64 x i8>
; CHECK: store <64 x i8>
define spir_kernel void @bytes(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi <4 x i8> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %row = mul i64 %k, %n
  %place = add i64 %row, %gid
  %p = getelementptr <4 x i8>, ptr addrspace(1) %in, i64 %place
  %v = load <4 x i8>, ptr addrspace(1) %p
  %sum.next = add <4 x i8> %sum, %v
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, 64
  br i1 %more, label %loop, label %done

done:
  %to = getelementptr <4 x i8>, ptr addrspace(1) %out, i64 %gid
  store <4 x i8> %sum.next, ptr addrspace(1) %to
  ret void
}

; What a work-item has one of is there for each element, and a uniform vector for each work-item.
; CHECK-LABEL: define i32 @numbers.region.0.tile(
; CHECK: %[[UNIFORM:.*]] = load <8 x float>
; CHECK: load <2 x float>
; CHECK: shufflevector <2 x float> %{{.*}}, <2 x float> poison, <16 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1
; CHECK: shufflevector <8 x float> %[[UNIFORM]], <8 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0
; CHECK: call <16 x float> @llvm.fma.v16f32(
define spir_kernel void @numbers(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %factors) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %same = load <8 x float>, ptr addrspace(1) %in
  %p = getelementptr <8 x float>, ptr addrspace(1) %in, i64 %gid
  %v = load <8 x float>, ptr addrspace(1) %p
  %at = getelementptr float, ptr addrspace(1) %factors, i64 %gid
  %factor = load float, ptr addrspace(1) %at
  %one = insertelement <8 x float> poison, float %factor, i64 0
  %all = shufflevector <8 x float> %one, <8 x float> poison, <8 x i32> zeroinitializer
  %r = call <8 x float> @llvm.fma.v8f32(<8 x float> %v, <8 x float> %all, <8 x float> %same)
  %r2 = fmul <8 x float> %r, %v
  %r3 = fadd <8 x float> %r2, %all
  %r4 = fmul <8 x float> %r3, %v
  %to = getelementptr <8 x float>, ptr addrspace(1) %out, i64 %gid
  store <8 x float> %r4, ptr addrspace(1) %to
  ret void
}

; Those that lie anywhere are read one by one, or gathered as numbers.
; CHECK-LABEL: define i32 @anywhere.region.0.packet(
; CHECK: select <16 x i1> %{{.*}}, <16 x ptr addrspace(1)> %{{.*}}, <16 x ptr addrspace(1)>
; CHECK: load <8 x float>
; CHECK: load <8 x float>
; CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> %{{.*}}, <16 x i32>
; CHECK: fmul <128 x float>
define spir_kernel void @anywhere(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %first = mul i64 %gid, 3
  %p = getelementptr <8 x float>, ptr addrspace(1) %in, i64 %first
  %v = load <8 x float>, ptr addrspace(1) %p
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %x = phi <8 x float> [ %v, %entry ], [ %x.next, %loop ]
  %y = fmul <8 x float> %x, %v
  %x.next = fadd <8 x float> %y, %v
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, 64
  br i1 %more, label %loop, label %done

done:
  %to = getelementptr <8 x float>, ptr addrspace(1) %out, i64 %gid
  store <8 x float> %x.next, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define i32 @gathered.region.0.packet(
; CHECK: call <16 x i32> @llvm.masked.gather.v16i32
; CHECK: bitcast <16 x i32> %{{.*}} to <64 x i8>
; CHECK: add <64 x i8>
define spir_kernel void @gathered(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %places) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %places, i64 %gid
  %place = load i32, ptr addrspace(1) %at
  %wide = zext i32 %place to i64
  %p = getelementptr <4 x i8>, ptr addrspace(1) %in, i64 %wide
  %v = load <4 x i8>, ptr addrspace(1) %p
  %a = add <4 x i8> %v, splat (i8 3)
  %b = mul <4 x i8> %a, %v
  %c = xor <4 x i8> %b, %a
  %d = add <4 x i8> %c, %v
  %to = getelementptr <4 x i8>, ptr addrspace(1) %out, i64 %gid
  store <4 x i8> %d, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: define i32 @apart.region.0.tile(
; CHECK-COUNT-8: fmul <16 x float>
; CHECK: ret i32 0
define spir_kernel void @apart(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %gid
  %v = load <4 x float>, ptr addrspace(1) %p
  %w = fmul <4 x float> %v, %v
  %a = extractelement <4 x float> %w, i64 0
  %b = extractelement <4 x float> %w, i64 1
  %c = extractelement <4 x float> %w, i64 2
  %d = extractelement <4 x float> %w, i64 3
  %ab = fadd float %a, %b
  %cd = fadd float %c, %d
  %sum = fadd float %ab, %cd
  %root = call float @llvm.sqrt.f32(float %sum)
  %to = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %root, ptr addrspace(1) %to
  ret void
}

declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare float @llvm.sqrt.f32(float)

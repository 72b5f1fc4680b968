; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; LLVM makes no vectors of a loop where it would have to check of more than 16 addresses that they do not wrap.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: = !{!"kernel few, region 0: {{.*}}costs packets {{[0-9.]+}}, LLVM's loops {{[0-9.]+}}, one by one
; CHECK: = !{!"kernel many, region 0: {{.*}}costs packets {{[0-9.]+}}, one by one
define spir_kernel void @few(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i0 = add i64 %id, 0
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 %i0
  %x0 = load float, ptr addrspace(1) %p0
  %i1 = add i64 %id, 4096
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 %i1
  %x1 = load float, ptr addrspace(1) %p1
  %s1 = fadd float %x0, %x1
  %i2 = add i64 %id, 8192
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 %i2
  %x2 = load float, ptr addrspace(1) %p2
  %s2 = fadd float %s1, %x2
  %i3 = add i64 %id, 12288
  %p3 = getelementptr float, ptr addrspace(1) %in, i64 %i3
  %x3 = load float, ptr addrspace(1) %p3
  %s3 = fadd float %s2, %x3
  %i4 = add i64 %id, 16384
  %p4 = getelementptr float, ptr addrspace(1) %in, i64 %i4
  %x4 = load float, ptr addrspace(1) %p4
  %s4 = fadd float %s3, %x4
  %i5 = add i64 %id, 20480
  %p5 = getelementptr float, ptr addrspace(1) %in, i64 %i5
  %x5 = load float, ptr addrspace(1) %p5
  %s5 = fadd float %s4, %x5
  %i6 = add i64 %id, 24576
  %p6 = getelementptr float, ptr addrspace(1) %in, i64 %i6
  %x6 = load float, ptr addrspace(1) %p6
  %s6 = fadd float %s5, %x6
  %i7 = add i64 %id, 28672
  %p7 = getelementptr float, ptr addrspace(1) %in, i64 %i7
  %x7 = load float, ptr addrspace(1) %p7
  %s7 = fadd float %s6, %x7
  %i8 = add i64 %id, 32768
  %p8 = getelementptr float, ptr addrspace(1) %in, i64 %i8
  %x8 = load float, ptr addrspace(1) %p8
  %s8 = fadd float %s7, %x8
  %i9 = add i64 %id, 36864
  %p9 = getelementptr float, ptr addrspace(1) %in, i64 %i9
  %x9 = load float, ptr addrspace(1) %p9
  %s9 = fadd float %s8, %x9
  %i10 = add i64 %id, 40960
  %p10 = getelementptr float, ptr addrspace(1) %in, i64 %i10
  %x10 = load float, ptr addrspace(1) %p10
  %s10 = fadd float %s9, %x10
  %i11 = add i64 %id, 45056
  %p11 = getelementptr float, ptr addrspace(1) %in, i64 %i11
  %x11 = load float, ptr addrspace(1) %p11
  %s11 = fadd float %s10, %x11
  %i12 = add i64 %id, 49152
  %p12 = getelementptr float, ptr addrspace(1) %in, i64 %i12
  %x12 = load float, ptr addrspace(1) %p12
  %s12 = fadd float %s11, %x12
  %i13 = add i64 %id, 53248
  %p13 = getelementptr float, ptr addrspace(1) %in, i64 %i13
  %x13 = load float, ptr addrspace(1) %p13
  %s13 = fadd float %s12, %x13
  %i14 = add i64 %id, 57344
  %p14 = getelementptr float, ptr addrspace(1) %in, i64 %i14
  %x14 = load float, ptr addrspace(1) %p14
  %s14 = fadd float %s13, %x14
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %s14, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @many(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i0 = add i64 %id, 0
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 %i0
  %x0 = load float, ptr addrspace(1) %p0
  %i1 = add i64 %id, 4096
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 %i1
  %x1 = load float, ptr addrspace(1) %p1
  %s1 = fadd float %x0, %x1
  %i2 = add i64 %id, 8192
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 %i2
  %x2 = load float, ptr addrspace(1) %p2
  %s2 = fadd float %s1, %x2
  %i3 = add i64 %id, 12288
  %p3 = getelementptr float, ptr addrspace(1) %in, i64 %i3
  %x3 = load float, ptr addrspace(1) %p3
  %s3 = fadd float %s2, %x3
  %i4 = add i64 %id, 16384
  %p4 = getelementptr float, ptr addrspace(1) %in, i64 %i4
  %x4 = load float, ptr addrspace(1) %p4
  %s4 = fadd float %s3, %x4
  %i5 = add i64 %id, 20480
  %p5 = getelementptr float, ptr addrspace(1) %in, i64 %i5
  %x5 = load float, ptr addrspace(1) %p5
  %s5 = fadd float %s4, %x5
  %i6 = add i64 %id, 24576
  %p6 = getelementptr float, ptr addrspace(1) %in, i64 %i6
  %x6 = load float, ptr addrspace(1) %p6
  %s6 = fadd float %s5, %x6
  %i7 = add i64 %id, 28672
  %p7 = getelementptr float, ptr addrspace(1) %in, i64 %i7
  %x7 = load float, ptr addrspace(1) %p7
  %s7 = fadd float %s6, %x7
  %i8 = add i64 %id, 32768
  %p8 = getelementptr float, ptr addrspace(1) %in, i64 %i8
  %x8 = load float, ptr addrspace(1) %p8
  %s8 = fadd float %s7, %x8
  %i9 = add i64 %id, 36864
  %p9 = getelementptr float, ptr addrspace(1) %in, i64 %i9
  %x9 = load float, ptr addrspace(1) %p9
  %s9 = fadd float %s8, %x9
  %i10 = add i64 %id, 40960
  %p10 = getelementptr float, ptr addrspace(1) %in, i64 %i10
  %x10 = load float, ptr addrspace(1) %p10
  %s10 = fadd float %s9, %x10
  %i11 = add i64 %id, 45056
  %p11 = getelementptr float, ptr addrspace(1) %in, i64 %i11
  %x11 = load float, ptr addrspace(1) %p11
  %s11 = fadd float %s10, %x11
  %i12 = add i64 %id, 49152
  %p12 = getelementptr float, ptr addrspace(1) %in, i64 %i12
  %x12 = load float, ptr addrspace(1) %p12
  %s12 = fadd float %s11, %x12
  %i13 = add i64 %id, 53248
  %p13 = getelementptr float, ptr addrspace(1) %in, i64 %i13
  %x13 = load float, ptr addrspace(1) %p13
  %s13 = fadd float %s12, %x13
  %i14 = add i64 %id, 57344
  %p14 = getelementptr float, ptr addrspace(1) %in, i64 %i14
  %x14 = load float, ptr addrspace(1) %p14
  %s14 = fadd float %s13, %x14
  %i15 = add i64 %id, 61440
  %p15 = getelementptr float, ptr addrspace(1) %in, i64 %i15
  %x15 = load float, ptr addrspace(1) %p15
  %s15 = fadd float %s14, %x15
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %s15, ptr addrspace(1) %to
  ret void
}

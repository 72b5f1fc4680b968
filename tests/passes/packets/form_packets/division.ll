; RUN: --target=x86_64;cpu=x86-64-v2;packets=all --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Numbers of up to 32 bits, and longer ones that are no greater, are divided as floating-point numbers; one that is the
; same for all work-items is inverted once, and the number after its inverse is taken.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @uniform.region.0.packet(
; CHECK: [[D:%.*]] = uitofp i32 %n to double
; CHECK: [[INVERSE:%.*]] = fdiv double 1.000000e+00, [[D]]
; CHECK: [[BITS:%.*]] = bitcast double [[INVERSE]] to i64
; CHECK: [[NEXT:%.*]] = add i64 [[BITS]], 1
; CHECK: [[ABOVE:%.*]] = bitcast i64 [[NEXT]] to double
; CHECK: [[FACTORS:%.*]] = insertelement <4 x double> poison, double [[ABOVE]], i64 0
; CHECK: [[QUOTIENT:%.*]] = fmul <4 x double>
; CHECK: [[WHOLE:%.*]] = fptoui <4 x double> [[QUOTIENT]] to <4 x i32>
; CHECK: [[Q:%.*]] = freeze <4 x i32> [[WHOLE]]
; CHECK: mul <4 x i32> [[Q]]
; CHECK: sub <4 x i32>
define spir_kernel void @uniform(ptr addrspace(1) %data, i32 %n) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %r = urem i32 %v, %n
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}} @varying.region.0.packet(
; CHECK: sitofp <4 x i16> {{.*}} to <4 x float>
; CHECK: sitofp <4 x i16> {{.*}} to <4 x float>
; CHECK: fdiv <4 x float>
; CHECK: fptosi <4 x float> {{.*}} to <4 x i16>
define spir_kernel void @varying(ptr addrspace(1) %data, ptr addrspace(1) %divisors) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i16, ptr addrspace(1) %data, i64 %gid
  %v = load i16, ptr addrspace(1) %p
  %d = getelementptr i16, ptr addrspace(1) %divisors, i64 %gid
  %w = load i16, ptr addrspace(1) %d
  %q = sdiv i16 %v, %w
  store i16 %q, ptr addrspace(1) %p
  ret void
}

; An id has at most 31 bits, and no divisor is greater than the greatest of 32 bits.
; CHECK-LABEL: define {{.*}} @id.region.0.packet(
; CHECK: [[LEAST:%.*]] = call i64 @llvm.umin.i64(i64 %n, i64 4294967295)
; CHECK: trunc i64 [[LEAST]] to i32
; CHECK: fmul <4 x double>
; CHECK: [[Q:%.*]] = freeze <4 x i32>
; CHECK: zext <4 x i32> [[Q]] to <4 x i64>
define spir_kernel void @id(ptr addrspace(1) %data, i64 %n) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %gid
  %q = udiv i64 %gid, %n
  store i64 %q, ptr addrspace(1) %p
  ret void
}

; LLVM multiplies instead of dividing by constants.
; CHECK-LABEL: define {{.*}} @constant.region.0.packet(
; CHECK: udiv <4 x i32> {{.*}}, splat (i32 1000)
define spir_kernel void @constant(ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %gid
  %q = udiv i64 %gid, 1000
  store i64 %q, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}} @long.region.0.packet(
; CHECK: udiv <2 x i64>
define spir_kernel void @long(ptr addrspace(1) %data, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %gid
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = load i64, ptr addrspace(1) %p
  %q = udiv i64 %v, %n
  store i64 %q, ptr addrspace(1) %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

; So also where some work-items do not run it: none divides by zero.
; CHECK-LABEL: define {{.*}} @some.region.0.packet(
; CHECK: sdiv <2 x i64> %{{.*}}, splat (i64 1000)
; CHECK: select <2 x i1> %{{.*}}, <2 x i64> %{{.*}}, <2 x i64> splat (i64 1)
; CHECK: sdiv <2 x i64>
define spir_kernel void @some(ptr addrspace(1) %data, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %gid
  br label %loop

loop:
  %i = phi i64 [ %gid, %entry ], [ %next, %loop ]
  %v = load i64, ptr addrspace(1) %p
  %q = sdiv i64 %v, 1000
  %r = sdiv i64 %q, %n
  store i64 %r, ptr addrspace(1) %p
  %next = add i64 %i, 7
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

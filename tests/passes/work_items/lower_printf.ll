; RUN: --passes=prepare-kernels,work-item-bodies,local-variables,function(lower-printf)
; A record of header and fields (abi/printf_record.h) goes to LaunchInfo::print.

@.format = private unnamed_addr addrspace(2) constant [4 x i8] c"%f\0A\00"

declare spir_func i32 @printf(ptr addrspace(2), ...)

; CHECK-LABEL: define void @k.item(
; CHECK: [[RECORD:%.*]] = alloca [47 x i8], align 8
; CHECK: [[PROMOTED:%.*]] = fpext float %f to double
; CHECK: store i64 ptrtoint (ptr addrspace(2) @.format to i64)
; CHECK: store i32 47,
; CHECK: store i32 3,
; A double.
; CHECK: store i8 1,
; CHECK: store i8 8,
; CHECK: store i8 1,
; CHECK: store double [[PROMOTED]]
; Three 16-bit integers, stored as three.
; CHECK: store i8 0,
; CHECK: store i8 2,
; CHECK: store i8 3,
; CHECK: extractelement <3 x i16> %v, i64 0
; CHECK: extractelement <3 x i16> %v, i64 2
; A pointer.
; CHECK: store i8 2,
; CHECK: store i8 8,
; CHECK: store ptr addrspace(1) %p
; CHECK: [[PRINT:%.*]] = load ptr
; CHECK: [[STATE:%.*]] = load ptr
; CHECK: [[RESULT:%.*]] = call i32 [[PRINT]](ptr [[STATE]], ptr {{.*}}[[RECORD]], i64 47)
; CHECK: store i32 [[RESULT]], ptr addrspace(1) %p
define spir_kernel void @k(ptr addrspace(1) %p, float %f, <3 x i16> %v) {
  %r = call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @.format, float %f, <3 x i16> %v, ptr addrspace(1) %p)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

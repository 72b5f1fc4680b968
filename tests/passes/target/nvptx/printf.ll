; RUN: --passes=nvptx-remap-address-spaces,prepare-kernels,nvptx-kernels --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; A record takes its place in the launch's buffer by an atomic addition, and is written where it fits; else the result is -1.

@.format = private unnamed_addr addrspace(2) constant [4 x i8] c"%f\0A\00"

declare spir_func i32 @printf(ptr addrspace(2), ...)

; CHECK-LABEL: define {{.*}}@k(
; CHECK: [[FIELD:%.*]] = getelementptr inbounds i8, ptr {{.*}}%launch, i64 144
; CHECK: [[ADDRESS:%.*]] = load i64, ptr {{.*}}[[FIELD]]
; CHECK: [[BUFFER:%.*]] = inttoptr i64 [[ADDRESS]] to ptr addrspace(1)
; CHECK: [[PLACE:%.*]] = atomicrmw add ptr addrspace(1) [[BUFFER]], i32 [[BYTES:[0-9]+]] syncscope("device") monotonic, align 4
; CHECK: [[CAPACITY:%.*]] = load i32, ptr addrspace(1)
; CHECK: [[BEGINS:%.*]] = icmp ult i32 [[PLACE]], [[CAPACITY]]
; CHECK: [[LEFT:%.*]] = sub i32 [[CAPACITY]], [[PLACE]]
; CHECK: [[ENDS:%.*]] = icmp ule i32 [[BYTES]], [[LEFT]]
; CHECK: [[FITS:%.*]] = and i1 [[BEGINS]], [[ENDS]]
; CHECK: br i1 [[FITS]], label %[[INSIDE:.*]], label %[[BEHIND:[^ ]*]]
; CHECK: [[INSIDE]]:
; CHECK: store double {{.*}}, ptr addrspace(1)
; CHECK: br label %[[BEHIND]]
; CHECK: [[BEHIND]]:
; CHECK: [[RESULT:%.*]] = select i1 [[FITS]], i32 0, i32 -1
; CHECK: store i32 [[RESULT]], ptr addrspace(1) %p
; CHECK-NOT: @printf
define spir_kernel void @k(ptr addrspace(1) %p, float %f) {
  %r = call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @.format, float %f)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

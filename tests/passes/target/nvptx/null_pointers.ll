; RUN: --passes=nvptx-null-pointers --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; The machine's conversion of a pointer to local memory turns 0 into another number; a null pointer stays one.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64"

@tile = internal addrspace(3) global [4 x i32] undef

; CHECK-LABEL: define {{.*}} @constants(
; CHECK-NOT: addrspacecast
; CHECK: ret void
define ptx_kernel void @constants(ptr addrspace(1) %out) {
  %same = icmp eq ptr addrspace(1) null, addrspacecast (ptr addrspace(3) null to ptr addrspace(1))
  %number = zext i1 %same to i32
  store i32 %number, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}} @unknown(
; CHECK: [[GENERIC:%.*]] = addrspacecast ptr addrspace(3) %p to ptr
; CHECK: [[IS_NULL:%.*]] = icmp eq ptr addrspace(3) %p, null
; CHECK: [[KEPT:%.*]] = select i1 [[IS_NULL]], ptr null, ptr [[GENERIC]]
; CHECK: store ptr [[KEPT]], ptr addrspace(1) %out
define ptx_kernel void @unknown(ptr addrspace(1) %out, ptr addrspace(3) %p) {
  %g = addrspacecast ptr addrspace(3) %p to ptr
  store ptr %g, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}} @private(
; CHECK: [[GENERIC:%.*]] = addrspacecast ptr addrspace(5) %p to ptr
; CHECK: [[IS_NULL:%.*]] = icmp eq ptr addrspace(5) %p, null
; CHECK: select i1 [[IS_NULL]], ptr null, ptr [[GENERIC]]
define ptx_kernel void @private(ptr addrspace(1) %out, ptr addrspace(5) %p) {
  %g = addrspacecast ptr addrspace(5) %p to ptr
  store ptr %g, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}} @variable(
; CHECK-NOT: select
; CHECK: store ptr {{.*}}addrspacecast
define ptx_kernel void @variable(ptr addrspace(1) %out) {
  store ptr addrspacecast (ptr addrspace(3) @tile to ptr), ptr addrspace(1) %out
  ret void
}

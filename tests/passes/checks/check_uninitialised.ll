; RUN: --passes=prepare-kernels,work-item-bodies,check-uninitialised
; A second variable says which bytes were not written; what a load yields is held against it where it is used.

; CHECK-LABEL: define void @k.item(
; CHECK: %v.unwritten = alloca [4 x i8]
; CHECK: call void @llvm.memset{{.*}}(ptr align 4 %v.unwritten, i8 -1, i64 4, i1 false)
; CHECK: store i32 1, ptr %v, align 4
; CHECK-NEXT: store i32 0, ptr %v.unwritten, align 4
; CHECK: %x = load i32, ptr %v
; CHECK-NEXT: [[BITS:%.*]] = load i32, ptr %v.unwritten
; CHECK-NEXT: [[UNWRITTEN:%.*]] = icmp ne i32 [[BITS]], 0
; CHECK: br i1 [[UNWRITTEN]],
; CHECK: call void @quern.check.fault(
; CHECK: store i32 %x, ptr addrspace(1) %p
define spir_kernel void @k(ptr addrspace(1) %p, i1 %c) {
  %v = alloca i32, align 4
  br i1 %c, label %write, label %read

write:
  store i32 1, ptr %v, align 4
  br label %read

read:
  %x = load i32, ptr %v, align 4
  store i32 %x, ptr addrspace(1) %p, align 4
  ret void
}

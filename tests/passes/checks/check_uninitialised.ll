; RUN: --passes=prepare-kernels,work-item-bodies,check-uninitialised
; A second variable says which bytes were written; what a load yields is held against it where it is used.

; CHECK-LABEL: define void @k.item(
; CHECK: %v.written = alloca [4 x i8]
; CHECK: [[SHADOW:%.*]] = load ptr addrspace(1), {{.*}} !invariant.load
; CHECK: [[TRACKED:%.*]] = icmp ne ptr addrspace(1) [[SHADOW]], null
; CHECK: call void @llvm.memset{{.*}}(ptr align 4 %v.written, i8 0, i64 4, i1 false)
; CHECK: store i32 -1, ptr %v.written, align 4
; CHECK-NEXT: store i32 1, ptr %v, align 4
; CHECK: %x = load i32, ptr %v
; CHECK-NEXT: [[BITS:%.*]] = load i32, ptr %v.written
; CHECK-NEXT: [[UNWRITTEN:%.*]] = icmp ne i32 [[BITS]], -1
; CHECK: br i1 [[TRACKED]],
; CHECK: store i32 -1, ptr addrspace(1)
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

; Of an argument the launch knows whether there is anything to look at. Where there is not, the argument itself is read, with no
; branch, which packets would mask: a mask is slow at an address where there is no memory.
; CHECK-LABEL: define void @arguments.item(
; CHECK: [[PLACE:%.*]] = select i1 [[THERE:%.*]], ptr addrspace(1) {{.*}}, ptr addrspace(1) %in
; CHECK: %x = load i32, ptr addrspace(1) %in
; CHECK-NOT: br i1
; CHECK: [[AT:%.*]] = getelementptr i8, ptr addrspace(1) [[PLACE]], i64
; CHECK: [[BITS:%.*]] = load i32, ptr addrspace(1) [[AT]], align 4, !nosanitize
; CHECK-NEXT: [[UNWRITTEN:%.*]] = icmp ne i32 [[BITS]], -1
; CHECK-NEXT: [[ANY:%.*]] = and i1 [[UNWRITTEN]], [[THERE]]
; CHECK: br i1 [[ANY]],
; CHECK: call void @quern.check.fault(
define spir_kernel void @arguments(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %x = load i32, ptr addrspace(1) %in, align 4
  store i32 %x, ptr addrspace(1) %out, align 4
  ret void
}

; A vector of a buffer counts where none of its elements were written.
; CHECK-LABEL: define void @vectors.item(
; CHECK: [[EACH:%.*]] = icmp ne <4 x i32> {{.*}}, splat (i32 -1)
; CHECK: [[ALL:%.*]] = call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> [[EACH]])
; CHECK: and i1 [[ALL]],
; CHECK: call void @quern.check.fault(
define spir_kernel void @vectors(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %x = load <4 x i32>, ptr addrspace(1) %in, align 16
  store <4 x i32> %x, ptr addrspace(1) %out, align 16
  ret void
}

; RUN: --steps=prepare-kernels,mark-callees,inline-callees,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops,optimize --target=x86_64;cpu=x86-64-v4;packets=16
; What relaxed atomic operations do to integers of an array that a loop changes in no other way is collected by each thread.

declare spir_func i64 @_Z13get_global_idj(i32)

; In a table, for the first 16 KiB; the rest of the array is changed as it was.
; CHECK-LABEL: define void @quern.kernel.histogram(
; CHECK: [[TABLE:%counters.*]] = alloca [16384 x i8], align 64
; CHECK-DAG: icmp ult i64 {{.*}}, %limit
; CHECK-DAG: getelementptr {{.*}}ptr [[TABLE]], i64
; CHECK-DAG: atomicrmw add ptr addrspace(1) {{.*}}, i32 1 monotonic
; CHECK-DAG: icmp {{eq|ne}} <16 x i32> {{.*}}, zeroinitializer
; CHECK-DAG: atomicrmw add ptr addrspace(1) {{.*}}, i32 %{{.*}} monotonic
define spir_kernel void @histogram(ptr addrspace(1) noalias %counters, ptr addrspace(1) noalias %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %index = sext i32 %v to i64
  %place = getelementptr i32, ptr addrspace(1) %counters, i64 %index
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  ret void
}

; In a register.
; CHECK-LABEL: define void @quern.kernel.least(
; CHECK-NOT: alloca [16384 x i8]
; CHECK: icmp {{eq|ne}} i32 [[ALL:%.*]], -1
; CHECK: atomicrmw umin ptr addrspace(1) %result, i32 [[ALL]] monotonic
; CHECK-NOT: atomicrmw
define spir_kernel void @least(ptr addrspace(1) noalias %result, ptr addrspace(1) noalias %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %old = atomicrmw umin ptr addrspace(1) %result, i32 %v monotonic
  ret void
}

; Not where the loop may read what it counts,
; CHECK-LABEL: define void @quern.kernel.overlapping(
; CHECK-NOT: alloca [16384 x i8]
; CHECK: ret void
define spir_kernel void @overlapping(ptr addrspace(1) %counters, ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %place = getelementptr i32, ptr addrspace(1) %counters, i32 %v
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  ret void
}

; where somebody uses a result,
; CHECK-LABEL: define void @quern.kernel.numbers(
; CHECK-NOT: alloca [16384 x i8]
; CHECK: ret void
define spir_kernel void @numbers(ptr addrspace(1) noalias %counters, ptr addrspace(1) noalias %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %place = getelementptr i32, ptr addrspace(1) %counters, i32 %v
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %p
  ret void
}

; where the operations order others,
; CHECK-LABEL: define void @quern.kernel.ordered(
; CHECK-NOT: alloca [16384 x i8]
; CHECK: ret void
define spir_kernel void @ordered(ptr addrspace(1) noalias %counters, ptr addrspace(1) noalias %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %place = getelementptr i32, ptr addrspace(1) %counters, i32 %v
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 release
  ret void
}

; where there is a fence,
; CHECK-LABEL: define void @quern.kernel.fenced(
; CHECK-NOT: alloca [16384 x i8]
; CHECK: ret void
define spir_kernel void @fenced(ptr addrspace(1) noalias %counters, ptr addrspace(1) noalias %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %place = getelementptr i32, ptr addrspace(1) %counters, i32 %v
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  fence seq_cst
  ret void
}

; where it waits,
; CHECK-LABEL: define void @quern.kernel.waiting(
; CHECK-NOT: alloca [16384 x i8]
; CHECK: ret void
define spir_kernel void @waiting(ptr addrspace(1) noalias %counters, ptr addrspace(1) noalias %data, ptr addrspace(1) noalias %flag) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %place = getelementptr i32, ptr addrspace(1) %counters, i32 %v
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  br label %wait

wait:
  %seen = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %ready = icmp ne i32 %seen, 0
  br i1 %ready, label %done, label %wait

done:
  ret void
}

; or where two kinds of operations meet.
; CHECK-LABEL: define void @quern.kernel.two_kinds(
; CHECK-NOT: alloca [16384 x i8]
; CHECK: ret void
define spir_kernel void @two_kinds(ptr addrspace(1) noalias %counters, ptr addrspace(1) noalias %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %place = getelementptr i32, ptr addrspace(1) %counters, i32 %v
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  %other = atomicrmw or ptr addrspace(1) %place, i32 1 monotonic
  ret void
}

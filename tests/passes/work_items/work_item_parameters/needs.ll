; RUN: --steps=prepare-kernels,mark-callees,inline-callees --target=x86_64;cpu=x86-64-v2;inlining=least
; What a function that is called needs of the work-item comes through its callers from the kernel: ids of all dimensions where it
; does not say which, a local variable, where printf writes to and what address spaces are told apart by. A function in which
; work-items meet is inlined all the same.
@variable = internal addrspace(3) global [4 x i32] undef
@.format = private unnamed_addr addrspace(2) constant [2 x i8] c"a\00"

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @_Z12get_work_dimv()
declare spir_func i32 @printf(ptr addrspace(2), ...)
declare spir_func i32 @__quern_address_space_of(ptr addrspace(4))

; CHECK-LABEL: define void @k(
; CHECK-DAG: [[DIM:%.*]] = call i32 @_Z12get_work_dimv()
; CHECK-DAG: [[X:%.*]] = call i64 @_Z12get_local_idj(i32 0)
; CHECK-DAG: [[Y:%.*]] = call i64 @_Z12get_local_idj(i32 1)
; CHECK-DAG: [[Z:%.*]] = call i64 @_Z12get_local_idj(i32 2)
; CHECK-DAG: [[PRINTER:%.*]] = call ptr @quern.printer()
; CHECK-DAG: [[SCRATCH:%.*]] = call ptr @quern.group_scratch()
; CHECK: call i64 @outer(i32 %n,
; CHECK: call void @_Z7barrierj(i32 1)
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %id = call spir_func i64 @outer(i32 %n)
  store i64 %id, ptr addrspace(1) %p
  call spir_func void @meet()
  ret void
}

; CHECK-NOT: @meet
; CHECK-LABEL: define internal i64 @outer(i32 %n
; CHECK-NOT: call i64 @_Z12get_local_idj
; CHECK: call i64 @inner(i32 %n
; CHECK-NOT: call i64 @_Z12get_local_idj
; CHECK-LABEL: define internal i64 @inner(i32 %n
; CHECK-DAG: ptr "quern.printer" %quern.printer
; CHECK-DAG: ptr "quern.group_scratch" %quern.group_scratch
; CHECK-DAG: ptr addrspace(3) %variable
; CHECK: select i1
; CHECK: load i32, ptr addrspace(3) %variable
; CHECK: call i32 (ptr addrspace(2), ...) @printf
define spir_func i64 @outer(i32 %n) "quern-program" {
  %id = call spir_func i64 @inner(i32 %n)
  ret i64 %id
}

define spir_func i64 @inner(i32 %n) "quern-program" {
  %id = call spir_func i64 @_Z12get_local_idj(i32 %n)
  %dim = call spir_func i32 @_Z12get_work_dimv()
  %v = load i32, ptr addrspace(3) @variable
  %sum = add i32 %dim, %v
  %r = call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @.format, i32 %sum)
  %a = alloca i32
  %generic = addrspacecast ptr %a to ptr addrspace(4)
  %s = call spir_func i32 @__quern_address_space_of(ptr addrspace(4) %generic)
  %t = sext i32 %s to i64
  %u = add i64 %id, %t
  ret i64 %u
}

define spir_func void @meet() "quern-program" {
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

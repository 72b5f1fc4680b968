; RUN: --steps=prepare-kernels,item-functions,isolate-barriers,form-regions,work-group-loops
; Groups that nobody can tell from their neighbours are run as one: a single loop over the row, cut off at the global size.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define void @quern.kernel.flat(
; CHECK: groups:
; CHECK: [[BEGIN:%.*]] = mul nuw i64 %group.x.begin, %local.size
; CHECK: [[FIRST:%.*]] = add nuw i64 [[BEGIN]], %global.offset
; CHECK: [[END:%.*]] = mul nuw i64 %group.x.end, %local.size
; CHECK: [[CUT:%.*]] = call i64 @llvm.umin.i64(i64 [[END]], i64 %global.size)
; CHECK: [[SIZE:%.*]] = sub nuw i64 [[CUT]],
; CHECK: items.x:
; CHECK: add nuw i64 [[FIRST]], %item.x
; CHECK: icmp ult i64 {{%.*}}, [[SIZE]]
; CHECK-NOT: group.done
define spir_kernel void @flat(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %q = getelementptr i64, ptr addrspace(1) %p, i64 %id
  store i64 %y, ptr addrspace(1) %q
  ret void
}

; Local ids, local memory and barriers tell groups apart.
; CHECK-LABEL: define void @quern.kernel.ids(
; CHECK: group.done:
define spir_kernel void @ids(ptr addrspace(1) %p) {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  store i64 %x, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @quern.kernel.local_argument(
; CHECK: group.done:
define spir_kernel void @local_argument(ptr addrspace(3) %l) {
  store i32 1, ptr addrspace(3) %l
  ret void
}

@variable = internal addrspace(3) global i32 undef

; CHECK-LABEL: define void @quern.kernel.local_variable(
; CHECK: group.done:
define spir_kernel void @local_variable() {
  store i32 1, ptr addrspace(3) @variable
  ret void
}

; CHECK-LABEL: define void @quern.kernel.waits(
; CHECK: group.done:
define spir_kernel void @waits() {
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}

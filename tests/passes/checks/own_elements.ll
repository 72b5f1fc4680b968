; RUN: --passes=prepare-kernels,work-item-bodies,check-races,lower-checks,function(sroa,early-cse,own-elements)
; Where all accesses of an argument go to the element of the work-item's global id, the device is told only where the launch says
; that others may meet there.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @own.item(
; CHECK: [[BIT:%.*]] = and i64 %bits, 1
; CHECK: [[MAY:%.*]] = icmp ne i64 [[BIT]], 0
; CHECK: br i1 [[MAY]], label %[[TELL:.*]], label %[[READ:.*]], !prof
; CHECK: [[TELL]]:
; CHECK-NEXT: call void @quern_check_access(
; CHECK: br i1 [[MAY]]
; CHECK: call void @quern_check_access(
; CHECK: ret void
define spir_kernel void @own(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  %x = load float, ptr addrspace(1) %place, align 4
  %y = fadd float %x, 1.0
  store float %y, ptr addrspace(1) %place, align 4
  ret void
}

; An id as an int, and a part of an element.
; CHECK-LABEL: define void @part.item(
; CHECK: br i1
; CHECK: call void @quern_check_access(
; CHECK: ret void
define spir_kernel void @part(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %int = trunc i64 %i to i32
  %index = sext i32 %int to i64
  %place = getelementptr {i32, i32}, ptr addrspace(1) %p, i64 %index, i32 1
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}

; What reaches into the next element is told of in any case, and so is all else of that argument.
; CHECK-LABEL: define void @neighbour.item(
; CHECK-NOT: br i1
; CHECK: call void @quern_check_access(
; CHECK: call void @quern_check_access(
; CHECK: ret void
define spir_kernel void @neighbour(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %next = getelementptr i32, ptr addrspace(1) %place, i64 1
  %x = load i32, ptr addrspace(1) %next, align 4
  store i32 %x, ptr addrspace(1) %place, align 4
  ret void
}

; Several work-items have the same of these.
; CHECK-LABEL: define void @masked.item(
; CHECK-NOT: br i1
; CHECK: call void @quern_check_access(
; CHECK: ret void
define spir_kernel void @masked(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %index = and i64 %i, 7
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %index
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}

; CHECK-LABEL: define void @byte.item(
; CHECK-NOT: br i1
; CHECK: call void @quern_check_access(
; CHECK: ret void
define spir_kernel void @byte(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %byte = trunc i64 %i to i8
  %index = zext i8 %byte to i64
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %index
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}

; A pointer out of memory may lead to the same bytes.
; CHECK-LABEL: define void @anywhere.item(
; CHECK-NOT: %bits
; CHECK: ret void
define spir_kernel void @anywhere(ptr addrspace(1) %p) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr ptr addrspace(1), ptr addrspace(1) %p, i64 %i
  %q = load ptr addrspace(1), ptr addrspace(1) %place, align 8
  store ptr addrspace(1) %q, ptr addrspace(1) %place, align 8
  store i32 1, ptr addrspace(1) %q, align 4, !quern.checked !0
  ret void
}
!0 = !{}

; Functions that call themselves, and each other, stay functions.
; RUN: --steps=prepare-kernels,mark-callees,inline-callees
; CHECK: define {{.*}} @k(
; CHECK: call {{.*}} @even(i64 3
; CHECK: call {{.*}} @countdown(
; CHECK-NOT: alwaysinline
declare spir_func i64 @_Z12get_local_idj(i32)

define spir_func i64 @even(i64 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %r = call spir_func i64 @odd(i64 %id)
  ret i64 %r
}

define spir_func i64 @odd(i64 %n) {
  %r = call spir_func i64 @even(i64 %n)
  ret i64 %r
}

define spir_func i64 @countdown(i64 %n) #0 {
  %less = sub i64 %n, 1
  %end = icmp eq i64 %less, 0
  br i1 %end, label %done, label %more
more:
  %r = call spir_func i64 @countdown(i64 %less)
  ret i64 %r
done:
  ret i64 1
}

define spir_kernel void @k(ptr addrspace(1) %p) {
  %r = call spir_func i64 @even(i64 3)
  %s = call spir_func i64 @countdown(i64 %r)
  store i64 %s, ptr addrspace(1) %p
  ret void
}

attributes #0 = { alwaysinline }

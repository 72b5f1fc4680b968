; Where work-items meet, a function must be part of the kernel, which one that calls itself cannot be.
; RUN: FAILS --steps=prepare-kernels,mark-callees,inline-callees
; CHECK: error: {{.*}}function 'wait' calls itself, which it cannot do because work-items meet in the function 'barrier(unsigned int)'
declare spir_func void @_Z7barrierj(i32)

define spir_func void @wait(i64 %n) {
  call spir_func void @_Z7barrierj(i32 1)
  %less = sub i64 %n, 1
  %end = icmp eq i64 %less, 0
  br i1 %end, label %done, label %more
more:
  call spir_func void @wait(i64 %less)
  ret void
done:
  ret void
}

define spir_kernel void @k(i64 %n) {
  call spir_func void @wait(i64 %n)
  ret void
}

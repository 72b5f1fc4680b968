; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; What a block makes that no work-item runs is nothing in later blocks: it is not kept from the iteration before, and where it is
; a floating-point number it is 0, so that arithmetic that nobody asks for does not meet denormal numbers.

declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.sqrt.f32(float)

; CHECK-LABEL: define {{.*}} @skipped.region.0.packet(
; The loop has the sum, the counter and no value of the block that may be skipped.
; CHECK: loop:
; CHECK-NEXT: %i{{.*}} = phi i32
; CHECK-NEXT: %sum{{.*}} = phi <16 x float>
; CHECK-NEXT: fcmp
; CHECK: some.done:
; CHECK-NEXT: %step{{.*}} = phi <16 x float>
; CHECK-NEXT: %f{{.*}} = phi <16 x float> [ {{%.*}}, %some.any ], [ zeroinitializer, %some ]
define spir_kernel void @skipped(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %id
  %x = load float, ptr addrspace(1) %p
  br label %loop
loop:
  %sum = phi float [ 0.0, %entry ], [ %next, %latch ]
  %i = phi i32 [ 0, %entry ], [ %following, %latch ]
  %is.less = fcmp olt float %sum, %x
  br i1 %is.less, label %some, label %latch
some:
  %square = fmul float %sum, %sum
  %shifted = fadd float %square, %x
  %root = call float @llvm.sqrt.f32(float %shifted)
  %quotient = fdiv float %x, %root
  %a = fadd float %quotient, %square
  %b = fmul float %a, %root
  %c = fadd float %b, %shifted
  %d = fmul float %c, %quotient
  %e = fadd float %d, %a
  %f = fmul float %e, %b
  %is.small = fcmp olt float %f, %c
  br i1 %is.small, label %more, label %latch
more:
  %g = fadd float %f, %d
  br label %latch
latch:
  %step = phi float [ 1.0, %loop ], [ %e, %some ], [ %g, %more ]
  %next = fadd float %sum, %step
  %following = add i32 %i, 1
  %goes.on = icmp slt i32 %following, %n
  br i1 %goes.on, label %loop, label %done
done:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %next, ptr addrspace(1) %q
  ret void
}

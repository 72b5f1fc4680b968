; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Functions that are small enough become part of a packet, whose rare branches only run where a work-item asks for them; then even
; a kernel without loops runs in packets.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @calls.region.0.packet(
; CHECK-NOT: call {{.*}}@f(
; CHECK: fmul <4 x float>
; CHECK: call i1 @llvm.vector.reduce.or.v4i1(
; CHECK: fdiv <4 x float>
; CHECK: ret i32
define spir_kernel void @calls(ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %data, i64 %gid
  %v = load float, ptr addrspace(1) %p
  %w = call float @f(float %v)
  store float %w, ptr addrspace(1) %p
  ret void
}

; Of vectors too: one value for each element, the reduction as operations on them.
; CHECK-LABEL: define {{.*}} @vectors.region.0.packet(
; CHECK-COUNT-2: fcmp {{.*}} <4 x float>
; CHECK-NOT: <2 x
; CHECK: ret i32
define spir_kernel void @vectors(ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <2 x float>, ptr addrspace(1) %data, i64 %gid
  %v = load <2 x float>, ptr addrspace(1) %p
  %w = call <2 x float> @f2(<2 x float> %v)
  store <2 x float> %w, ptr addrspace(1) %p
  ret void
}

; A function that is not to be inlined has to be, if it takes vectors.
; CHECK-LABEL: define {{.*}} @rare_vectors.region.0.packet(
; CHECK-NOT: call {{.*}}@rare
; CHECK: fmul <8 x float>
; CHECK: ret i32
define spir_kernel void @rare_vectors(ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <2 x float>, ptr addrspace(1) %data, i64 %gid
  %v = load <2 x float>, ptr addrspace(1) %p
  %x = extractelement <2 x float> %v, i64 0
  %root = call float @llvm.sqrt.f32(float %x)
  %quotient = fdiv float %root, %x
  %large = call float @llvm.sqrt.f32(float %quotient)
  %is_rare = fcmp ogt float %large, 1000.0
  br i1 %is_rare, label %rare, label %done
rare:
  %w = call float @rare(<2 x float> %v)
  %first = getelementptr float, ptr addrspace(1) %p, i64 1
  store float %w, ptr addrspace(1) %first
  br label %done
done:
  ret void
}

define float @rare(<2 x float> %v) noinline {
  %product = fmul <2 x float> %v, %v
  %x = extractelement <2 x float> %product, i64 0
  %y = extractelement <2 x float> %product, i64 1
  %sum = fadd float %x, %y
  %root = call float @llvm.sqrt.f32(float %sum)
  ret float %root
}

define float @f(float %x) convergent {
entry:
  %y = fmul float %x, %x
  %large = fcmp ogt float %x, 1000.0
  br i1 %large, label %rare, label %done

rare:
  %a = fdiv float %y, 3.0
  %b = fdiv float %a, %x
  %c = fdiv float %b, 7.0
  %d = fadd float %c, %a
  %e = fmul float %d, %b
  %g = fsub float %e, %c
  %h = fmul float %g, %d
  %i = fadd float %h, %g
  %j = fmul float %i, %h
  %k = fsub float %j, %i
  %l = fmul float %k, %j
  %m = fadd float %l, %k
  br label %done

done:
  %r = phi float [ %y, %entry ], [ %m, %rare ]
  ret float %r
}

define <2 x float> @f2(<2 x float> %x) {
entry:
  %y = fmul <2 x float> %x, %x
  %large = fcmp ogt <2 x float> %x, <float 1000.0, float 1000.0>
  %any = call i1 @llvm.vector.reduce.or.v2i1(<2 x i1> %large)
  br i1 %any, label %rare, label %done

rare:
  %a = fdiv <2 x float> %y, <float 3.0, float 3.0>
  %b = select <2 x i1> %large, <2 x float> %a, <2 x float> %y
  br label %done

done:
  %r = phi <2 x float> [ %y, %entry ], [ %b, %rare ]
  ret <2 x float> %r
}

; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,item-functions,clean-up,isolate-barriers,form-regions,form-packets
; A multiplication by a power of 2 whose exponent is a whole number of floating point is one instruction, which rounds the exponent
; down by itself. Any other is left to LLVM.

declare spir_func i64 @_Z13get_global_idj(i32)
declare double @llvm.ldexp.f64.i32(double, i32)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare double @llvm.floor.f64(double)

; CHECK-LABEL: define {{.*}} @scale.region.0.packet(
; CHECK: call <8 x double> @llvm.x86.avx512.mask.scalef.pd.512(<8 x double> [[VALUE:%.*]], <8 x double> [[VALUE]], <8 x double> zeroinitializer, i8 -1, i32 4)
; CHECK: {{^}}}
; CHECK-LABEL: define {{.*}} @integer.region.0.packet(
; CHECK-NOT: scalef
; CHECK: call <8 x double> @llvm.ldexp.v8f64.v8i32(
; CHECK: {{^}}}
define spir_kernel void @scale(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = add nuw nsw i64 %gid, %i
  %p = getelementptr double, ptr addrspace(1) %in, i64 %at
  %v = load double, ptr addrspace(1) %p
  %floor = call double @llvm.floor.f64(double %v)
  %e = call i32 @llvm.fptosi.sat.i32.f64(double %floor)
  %scaled = call double @llvm.ldexp.f64.i32(double %v, i32 %e)
  %sum.next = fadd double %sum, %scaled
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %done
done:
  %po = getelementptr double, ptr addrspace(1) %out, i64 %gid
  store double %sum.next, ptr addrspace(1) %po
  ret void
}

define spir_kernel void @integer(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = add nuw nsw i64 %gid, %i
  %p = getelementptr double, ptr addrspace(1) %in, i64 %at
  %v = load double, ptr addrspace(1) %p
  %bits = bitcast double %v to i64
  %e = trunc i64 %bits to i32
  %scaled = call double @llvm.ldexp.f64.i32(double %v, i32 %e)
  %sum.next = fadd double %sum, %scaled
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %done
done:
  %po = getelementptr double, ptr addrspace(1) %out, i64 %gid
  store double %sum.next, ptr addrspace(1) %po
  ret void
}

; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Tables of constants that fit into two registers are looked up there; larger ones are gathered from memory.

@doubles = internal addrspace(2) constant [3 x double] [double 1.0, double 4.0, double 9.0]
@floats = internal addrspace(2) constant [17 x float] [float 0.0, float 1.0, float 2.0, float 3.0, float 4.0, float 5.0, float 6.0, float 7.0, float 8.0, float 9.0, float 10.0, float 11.0, float 12.0, float 13.0, float 14.0, float 15.0, float 16.0]
@longer = internal addrspace(2) constant [17 x double] [double 0.0, double 1.0, double 2.0, double 3.0, double 4.0, double 5.0, double 6.0, double 7.0, double 8.0, double 9.0, double 10.0, double 11.0, double 12.0, double 13.0, double 14.0, double 15.0, double 16.0]

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @of_doubles.region.0.packet(
; CHECK-NOT: gather
; CHECK: call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512(<8 x double> <double 1.000000e+00, double 4.000000e+00, double 9.000000e+00, double 0.000000e+00, {{.*}}>, <8 x i64> %{{.*}}, <8 x double> zeroinitializer)
; CHECK: {{^}}}
define spir_kernel void @of_doubles(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = add nuw nsw i64 %gid, %i
  %p = getelementptr i64, ptr addrspace(1) %in, i64 %at
  %v = load i64, ptr addrspace(1) %p
  %q = getelementptr [3 x double], ptr addrspace(2) @doubles, i64 0, i64 %v
  %element = load double, ptr addrspace(2) %q
  %sum.next = fadd double %sum, %element
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %done
done:
  %po = getelementptr double, ptr addrspace(1) %out, i64 %gid
  store double %sum.next, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define {{.*}} @of_floats.region.0.packet(
; CHECK-NOT: gather
; CHECK: call <16 x float> @llvm.x86.avx512.vpermi2var.ps.512(
; CHECK: {{^}}}
define spir_kernel void @of_floats(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = add nuw nsw i64 %gid, %i
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %v = load i32, ptr addrspace(1) %p
  %index = zext i32 %v to i64
  %q = getelementptr float, ptr addrspace(2) @floats, i64 %index
  %element = load float, ptr addrspace(2) %q
  %sum.next = fadd float %sum, %element
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %done
done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define {{.*}} @too_large.region.0.packet(
; CHECK-NOT: vpermi2var
; CHECK: call <8 x double> @llvm.masked.gather.v8f64
; CHECK: {{^}}}
define spir_kernel void @too_large(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = add nuw nsw i64 %gid, %i
  %p = getelementptr i64, ptr addrspace(1) %in, i64 %at
  %v = load i64, ptr addrspace(1) %p
  %q = getelementptr [17 x double], ptr addrspace(2) @longer, i64 0, i64 %v
  %element = load double, ptr addrspace(2) %q
  %sum.next = fadd double %sum, %element
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %done
done:
  %po = getelementptr double, ptr addrspace(1) %out, i64 %gid
  store double %sum.next, ptr addrspace(1) %po
  ret void
}

; RUN: --target=x86_64;cpu=x86-64;packets=4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; What holds only for the work-items behind a branch is not relied on for the packet's first: disjoint bits are added, and a
; function is not promised what the others' arguments do not keep.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @guarded.region.0.packet(
; CHECK-NOT: or disjoint
; CHECK: add i64 %{{.*}}, %bit
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p1(
; CHECK: freeze <4 x float>
; CHECK: freeze <4 x i32>
; CHECK-COUNT-4: call float @llvm.powi.f32.i32(float %{{.*}}, i32 range(i32 0, 100) %
define spir_kernel void @guarded(ptr addrspace(1) %data, ptr addrspace(1) %flags, ptr addrspace(1) %sums, i64 %bit, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pf = getelementptr i8, ptr addrspace(1) %flags, i64 %gid
  %flag = load i8, ptr addrspace(1) %pf
  %set = icmp ne i8 %flag, 0
  br i1 %set, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = or disjoint i64 %gid, %bit
  %ps = getelementptr i64, ptr addrspace(1) %sums, i64 %gid
  store i64 %sum, ptr addrspace(1) %ps
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %f = bitcast i32 %v to float
  %h = call float @llvm.powi.f32.i32(float %f, i32 noundef range(i32 0, 100) %v)
  store float %h, ptr addrspace(1) %p
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

declare float @llvm.powi.f32.i32(float, i32)

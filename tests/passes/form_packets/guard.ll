; RUN: --steps=prepare-kernels,item-functions,clean-up,isolate-barriers,form-regions,form-packets
; Behind a guard accesses are masked, a scalar access only happens when a work-item is there, and nobody divides by what a
; work-item that is not there happens to have.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @guarded.region.0.packet(
; CHECK: call i1 @llvm.vector.reduce.or.v4i1(
; CHECK: load i32, ptr addrspace(1) %one
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p1(
; CHECK: [[DIVISOR:%.*]] = select <4 x i1> %loop.mask{{.*}}, <4 x i32> {{.*}}, <4 x i32> splat (i32 1)
; CHECK: udiv <4 x i32> {{.*}}, [[DIVISOR]]
; CHECK: call void @llvm.masked.store.v4i32.p1(
define spir_kernel void @guarded(ptr addrspace(1) %one, ptr addrspace(1) %data, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %gid, %n
  br i1 %inside, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %dividend = load i32, ptr addrspace(1) %one
  %v = load i32, ptr addrspace(1) %p
  %divisor = or i32 %v, 1
  %q = udiv i32 %dividend, %divisor
  store i32 %q, ptr addrspace(1) %p
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %dividend
  br i1 %more, label %loop, label %done

done:
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Behind a guard accesses are masked, a scalar access only happens when a work-item is there, and nobody divides by what a
; work-item that is not there happens to have.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @guarded.region.0.packet(
; CHECK: call i1 @llvm.vector.reduce.or.v2i1(
; CHECK: load i64, ptr addrspace(1) %one
; CHECK: call <2 x i64> @llvm.masked.load.v2i64.p1(ptr addrspace(1) {{.*}}, <2 x i1> [[MASK:%.*]], <2 x i64> poison)
; CHECK: [[DIVISOR:%.*]] = select <2 x i1> [[MASK]], <2 x i64> {{.*}}, <2 x i64> splat (i64 1)
; CHECK: udiv <2 x i64> {{.*}}, [[DIVISOR]]
; CHECK: call void @llvm.masked.store.v2i64.p1(
define spir_kernel void @guarded(ptr addrspace(1) %one, ptr addrspace(1) %data, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %gid, %n
  br i1 %inside, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i64, ptr addrspace(1) %data, i64 %gid
  %dividend = load i64, ptr addrspace(1) %one
  %v = load i64, ptr addrspace(1) %p
  %divisor = or i64 %v, 1
  %q = udiv i64 %dividend, %divisor
  store i64 %q, ptr addrspace(1) %p
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %dividend
  br i1 %more, label %loop, label %done

done:
  ret void
}

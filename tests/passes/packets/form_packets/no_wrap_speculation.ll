; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; An unsigned index may wrap from one work-item to the next: a packet asks whether it does, and only then makes an access for
; each of them.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @rising.region.0.tile(
; CHECK: [[FITS:%.*]] = icmp ule i32 [[INDEX:%.*]], -4
; CHECK: [[WIDE:%.*]] = zext i32 [[INDEX]] to i64
; CHECK: [[PLACE:%.*]] = getelementptr float, ptr addrspace(1) %in, i64 [[WIDE]]
; CHECK: br i1 [[FITS]], label %together{{.*}}, label %each{{.*}}, !prof
; CHECK: load <4 x float>, ptr addrspace(1) [[PLACE]]
; CHECK: call <4 x float> @llvm.masked.gather.v4f32.v4p1(
; CHECK: phi <4 x float>
define spir_kernel void @rising(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %narrow = trunc i64 %gid to i32
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %row = mul i32 %i, %n
  %index = add i32 %row, %narrow
  %wide = zext i32 %index to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %last = sub i32 %n, %narrow
  %last.wide = zext i32 %last to i64
  %po = getelementptr float, ptr addrspace(1) %out, i64 %last.wide
  ; Downwards, in reverse.
  ; CHECK: icmp uge i32 %{{.*}}, 3
  ; CHECK: store <4 x float> %{{.*}}, ptr addrspace(1)
  ; CHECK: call void @llvm.masked.scatter.v4f32.v4p1(
  store float %sum.next, ptr addrspace(1) %po
  ret void
}

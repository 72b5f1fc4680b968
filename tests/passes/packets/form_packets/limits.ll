; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A number that is kept within limits is the number itself but at edges. A tile of packets is made for all to be within them where
; that can be asked at the start; elsewhere each access asks for its packet.

declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

; The limits are asked before anything is loaded.
; CHECK-LABEL: define {{.*}} @fixed.region.0.tile(
; CHECK: icmp sle
; CHECK: br i1 {{.*}}, label %guarded
; CHECK-NOT: @llvm.smin
; CHECK-NOT: gather
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK: {{^}}}
define spir_kernel void @fixed(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %last) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  %before = sub nsw i32 %x, 2
  %below = call i32 @llvm.smin.i32(i32 %before, i32 %last)
  %place = call i32 @llvm.smax.i32(i32 %below, i32 0)
  %wide = zext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %v, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define {{.*}} @any.region.0.tile(
; CHECK: br i1 {{.*}}, label %together{{.*}}, label %each{{.*}}, !prof
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK: call <4 x float> @llvm.masked.gather.v4f32.v4p1(
; CHECK: {{^}}}
define spir_kernel void @any(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %last, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %before = sub nsw i32 %x, %i
  %below = call i32 @llvm.smin.i32(i32 %before, i32 %last)
  %place = call i32 @llvm.smax.i32(i32 %below, i32 0)
  %wide = zext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}

; A quotient that is one for the packet is beyond the limit or not: nothing asks, and it is kept within it.
; CHECK-LABEL: define {{.*}} @quotient.region.0.packet(
; CHECK: [[QUOTIENT:%.*]] = udiv i32 {{%.*}}, 200
; CHECK-NEXT: [[PLACE:%.*]] = call i32 @llvm.umax.i32(i32 [[QUOTIENT]], i32 1)
; CHECK: zext i32 [[PLACE]] to i64
; CHECK: br i1 {{.*}}, label %together{{.*}}, label %each{{.*}}, !prof
; CHECK: {{^}}}
define spir_kernel void @quotient(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  %row = udiv i32 %x, 200
  %place = call i32 @llvm.umax.i32(i32 %row, i32 1)
  %wide = zext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %v, ptr addrspace(1) %po
  ret void
}

declare i32 @llvm.umax.i32(i32, i32)

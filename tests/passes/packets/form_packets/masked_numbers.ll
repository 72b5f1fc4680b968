; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A packet whose numbers do not leave the lowest bits of a mask, all of which are set or clear, accesses neighbours.

declare spir_func i64 @_Z13get_global_idj(i32)

; The lowest bits of the mask that are set, and what is left of them after the packet's first number.
; CHECK-LABEL: define {{.*}} @ring.region.0.tile(
; CHECK: [[MASK:%.*]] = freeze i32 %mask
; CHECK: [[NEXT:%.*]] = add i32 [[MASK]], 1
; CHECK: [[NOT:%.*]] = xor i32 [[NEXT]], -1
; CHECK: [[LOWEST:%.*]] = and i32 [[MASK]], [[NOT]]
; CHECK: [[START:%.*]] = and i32 %{{.*}}, [[LOWEST]]
; CHECK: [[LEFT:%.*]] = sub i32 [[LOWEST]], [[START]]
; CHECK: icmp uge i32 [[LEFT]], 3
; CHECK: br i1 %{{.*}}, label %together{{.*}}, label %each
; CHECK: load <4 x float>, ptr addrspace(1)
define spir_kernel void @ring(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %mask, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %narrow = trunc i64 %gid to i32
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %index = add i32 %i, %narrow
  %place = and i32 %index, %mask
  %wide = zext i32 %place to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}

; A partner: those of the other operand that are clear.
; CHECK-LABEL: define {{.*}} @partner.region.0.tile(
; CHECK: [[BIT:%.*]] = freeze i32 %bit
; CHECK: xor i32 [[BIT]], -1
; CHECK: br i1 %{{.*}}, label %together{{.*}}, label %each
define spir_kernel void @partner(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %bit, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %narrow = trunc i64 %gid to i32
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %index = add i32 %i, %narrow
  %other = xor i32 %index, %bit
  %wide = zext i32 %other to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}

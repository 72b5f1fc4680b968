; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Values of 64 bits fill twice as many registers. Where they are few, packets are as wide as they are without them; where there
; is little else, packets hold as many as fill a register.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @mixed.region.0.packet(
; CHECK: fmul <4 x float>
; CHECK: fmul <4 x double>
define spir_kernel void @mixed(ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %data, i64 %gid
  %x = load float, ptr addrspace(1) %p
  %f0 = fmul float %x, %x
  %f1 = fmul float %f0, %f0
  %f2 = fmul float %f1, %f1
  %f3 = fmul float %f2, %f2
  %f4 = fmul float %f3, %f3
  %f5 = fmul float %f4, %f4
  %f6 = fmul float %f5, %f5
  %f7 = fmul float %f6, %f6
  %f8 = fmul float %f7, %f7
  %f9 = fmul float %f8, %f8
  %f10 = fmul float %f9, %f9
  %f11 = fmul float %f10, %f10
  %wide = fpext float %f11 to double
  %scaled = fmul double %wide, 0x3FD5555555555555
  %narrow = fptrunc double %scaled to float
  store float %narrow, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define {{.*}} @wide.region.0.packet(
; CHECK: fmul <2 x double>
define spir_kernel void @wide(ptr addrspace(1) %data, i32 %m) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr double, ptr addrspace(1) %data, i64 %gid
  %y = load double, ptr addrspace(1) %p
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi double [ %y, %entry ], [ %next, %loop ]
  %square = fmul double %x, %x
  %sum = fadd double %square, %y
  %next = fmul double %sum, 0x3FD5555555555555
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %m
  br i1 %more, label %loop, label %done

done:
  store double %next, ptr addrspace(1) %p
  ret void
}

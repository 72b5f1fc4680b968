; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Values of 64 bits fill twice as many registers. Where they are few, packets are as wide as they are without them; where there
; is little else, packets hold as many as fill a register. The same goes for vectors of the program that stay whole, as far as loops
; keep what they need in registers.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @mixed.region.0.packet(
; CHECK: fmul <16 x float>
; CHECK: fmul <16 x double>
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
; CHECK: fmul <8 x double>
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

; CHECK-LABEL: define {{.*}} @pairs.region.0.packet(
; CHECK: fmul <32 x float>
; CHECK: fmul <16 x float>
define spir_kernel void @pairs(ptr addrspace(1) %data, i64 %m) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %second = add i64 %gid, %m
  %third = add i64 %second, %m
  %p = getelementptr <2 x float>, ptr addrspace(1) %data, i64 %gid
  %q = getelementptr <2 x float>, ptr addrspace(1) %data, i64 %second
  %r = getelementptr <2 x float>, ptr addrspace(1) %data, i64 %third
  %v = load <2 x float>, ptr addrspace(1) %p
  %w = load <2 x float>, ptr addrspace(1) %q
  %product = fmul <2 x float> %v, %w
  %f0 = extractelement <2 x float> %product, i64 0
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
  %one = insertelement <2 x float> poison, float %f11, i64 0
  %all = shufflevector <2 x float> %one, <2 x float> poison, <2 x i32> zeroinitializer
  %sum = fadd <2 x float> %product, %all
  %difference = fsub <2 x float> %product, %all
  store <2 x float> %product, ptr addrspace(1) %p
  store <2 x float> %sum, ptr addrspace(1) %q
  store <2 x float> %difference, ptr addrspace(1) %r
  ret void
}

; CHECK-LABEL: define {{.*}} @many.region.0.packet(
; CHECK: fadd <8 x float>
; CHECK: fadd <8 x double>
define spir_kernel void @many(ptr addrspace(1) %data, i32 %m) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %data, i64 %gid
  %x = load float, ptr addrspace(1) %p
  %y = fpext float %x to double
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x0 = phi float [ %x, %entry ], [ %x.next1, %loop ]
  %x1 = phi float [ %x, %entry ], [ %x.next2, %loop ]
  %x2 = phi float [ %x, %entry ], [ %x.next3, %loop ]
  %x3 = phi float [ %x, %entry ], [ %x.next4, %loop ]
  %x4 = phi float [ %x, %entry ], [ %x.next5, %loop ]
  %x5 = phi float [ %x, %entry ], [ %x.next6, %loop ]
  %x6 = phi float [ %x, %entry ], [ %x.next7, %loop ]
  %x7 = phi float [ %x, %entry ], [ %x.next8, %loop ]
  %x8 = phi float [ %x, %entry ], [ %x.next9, %loop ]
  %x9 = phi float [ %x, %entry ], [ %x.next10, %loop ]
  %x10 = phi float [ %x, %entry ], [ %x.next11, %loop ]
  %x11 = phi float [ %x, %entry ], [ %x.next12, %loop ]
  %x12 = phi float [ %x, %entry ], [ %x.next13, %loop ]
  %x13 = phi float [ %x, %entry ], [ %x.next14, %loop ]
  %x14 = phi float [ %x, %entry ], [ %x.next15, %loop ]
  %x15 = phi float [ %x, %entry ], [ %x.next16, %loop ]
  %x16 = phi float [ %x, %entry ], [ %x.next17, %loop ]
  %x17 = phi float [ %x, %entry ], [ %x.next18, %loop ]
  %x18 = phi float [ %x, %entry ], [ %x.next19, %loop ]
  %x19 = phi float [ %x, %entry ], [ %x.next0, %loop ]
  %y0 = phi double [ %y, %entry ], [ %y.next1, %loop ]
  %y1 = phi double [ %y, %entry ], [ %y.next2, %loop ]
  %y2 = phi double [ %y, %entry ], [ %y.next3, %loop ]
  %y3 = phi double [ %y, %entry ], [ %y.next4, %loop ]
  %y4 = phi double [ %y, %entry ], [ %y.next5, %loop ]
  %y5 = phi double [ %y, %entry ], [ %y.next6, %loop ]
  %y6 = phi double [ %y, %entry ], [ %y.next7, %loop ]
  %y7 = phi double [ %y, %entry ], [ %y.next0, %loop ]
  %x.next0 = fadd float %x0, %x
  %x.next1 = fadd float %x1, %x
  %x.next2 = fadd float %x2, %x
  %x.next3 = fadd float %x3, %x
  %x.next4 = fadd float %x4, %x
  %x.next5 = fadd float %x5, %x
  %x.next6 = fadd float %x6, %x
  %x.next7 = fadd float %x7, %x
  %x.next8 = fadd float %x8, %x
  %x.next9 = fadd float %x9, %x
  %x.next10 = fadd float %x10, %x
  %x.next11 = fadd float %x11, %x
  %x.next12 = fadd float %x12, %x
  %x.next13 = fadd float %x13, %x
  %x.next14 = fadd float %x14, %x
  %x.next15 = fadd float %x15, %x
  %x.next16 = fadd float %x16, %x
  %x.next17 = fadd float %x17, %x
  %x.next18 = fadd float %x18, %x
  %x.next19 = fadd float %x19, %x
  %y.next0 = fadd double %y0, %y
  %y.next1 = fadd double %y1, %y
  %y.next2 = fadd double %y2, %y
  %y.next3 = fadd double %y3, %y
  %y.next4 = fadd double %y4, %y
  %y.next5 = fadd double %y5, %y
  %y.next6 = fadd double %y6, %y
  %y.next7 = fadd double %y7, %y
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %m
  br i1 %more, label %loop, label %done

done:
  %x.product0 = fmul float %x.next0, %x
  %x.product1 = fmul float %x.next1, %x.product0
  %x.product2 = fmul float %x.next2, %x.product1
  %x.product3 = fmul float %x.next3, %x.product2
  %x.product4 = fmul float %x.next4, %x.product3
  %x.product5 = fmul float %x.next5, %x.product4
  %x.product6 = fmul float %x.next6, %x.product5
  %x.product7 = fmul float %x.next7, %x.product6
  %x.product8 = fmul float %x.next8, %x.product7
  %x.product9 = fmul float %x.next9, %x.product8
  %x.product10 = fmul float %x.next10, %x.product9
  %x.product11 = fmul float %x.next11, %x.product10
  %x.product12 = fmul float %x.next12, %x.product11
  %x.product13 = fmul float %x.next13, %x.product12
  %x.product14 = fmul float %x.next14, %x.product13
  %x.product15 = fmul float %x.next15, %x.product14
  %x.product16 = fmul float %x.next16, %x.product15
  %x.product17 = fmul float %x.next17, %x.product16
  %x.product18 = fmul float %x.next18, %x.product17
  %x.product19 = fmul float %x.next19, %x.product18
  %y.product0 = fmul double %y.next0, %y
  %y.product1 = fmul double %y.next1, %y.product0
  %y.product2 = fmul double %y.next2, %y.product1
  %y.product3 = fmul double %y.next3, %y.product2
  %y.product4 = fmul double %y.next4, %y.product3
  %y.product5 = fmul double %y.next5, %y.product4
  %y.product6 = fmul double %y.next6, %y.product5
  %y.product7 = fmul double %y.next7, %y.product6
  %narrow = fptrunc double %y.product7 to float
  %result = fadd float %narrow, %x.product19
  store float %result, ptr addrspace(1) %p
  ret void
}

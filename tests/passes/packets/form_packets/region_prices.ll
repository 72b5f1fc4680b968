; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Regions run as what costs a work-item least. LLVM's loops do what both sides of a condition do, packets only the side that all of
; them take; what memory decides costs the same in both. Vectors of four numbers fill a quarter of a register one by one. The price of
; an access that is 9 elements from the next work-item's is that of a gather. Where an index is an `int`, LLVM's loops do not know that
; neighbours' indices are neighbours. A loop that one work-item runs costs the others nothing, which a packet would take with it.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK: = !{!"kernel border, region 0: packets of 16 {{.*}}costs packets {{[0-9.]+}}, in tiles 0.{{[0-9]+}}, LLVM's loops {{[0-9.]+}}, one by one
; CHECK-SAME: {{[0-9.]+}}"}
; CHECK: = !{!"kernel sum, region 0: one work-item after the other, because it costs packets [[SAME:[0-9.]+]], LLVM's loops [[SAME]], one by one
; CHECK: = !{!"kernel vectors, region 0: packets of 4 work-items{{.*}}; accesses: 3 contiguous; costs packets {{[0-9.]+}}, {{.*}}one by one
; CHECK: = !{!"kernel stride, region 0: {{.*}}costs packets 1.4{{[0-9]}}, in tiles {{[0-9.]+}}, LLVM's loops
; CHECK: = !{!"kernel narrow, region 0: packets of 16 work-items{{.*}}costs packets 0.{{[0-9]+}}, {{.*}}LLVM's loops {{[1-9][0-9]*[.][0-9]+}}, one
; CHECK: = !{!"kernel one, region 1: one work-item after the other, because
define spir_kernel void @border(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %last) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %first = icmp eq i64 %id, 0
  %final = icmp eq i64 %id, %last
  %edge = or i1 %first, %final
  %place = getelementptr float, ptr addrspace(1) %in, i64 %id
  %own = load float, ptr addrspace(1) %place
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  br i1 %edge, label %copy, label %inner

copy:
  store float %own, ptr addrspace(1) %to
  ret void

inner:
  %before = getelementptr i8, ptr addrspace(1) %place, i64 -4
  %a = load float, ptr addrspace(1) %before
  %behind = getelementptr i8, ptr addrspace(1) %place, i64 4
  %b = load float, ptr addrspace(1) %behind
  %s0 = fadd float %a, %b
  %s1 = fadd float %s0, %own
  %p0 = fmul float %s1, %a
  %p1 = fmul float %p0, %b
  %p2 = fmul float %p1, %own
  %p3 = fadd float %p2, %a
  store float %p3, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %more, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %in, i64 %id
  %a = load float, ptr addrspace(1) %pa
  %pb = getelementptr float, ptr addrspace(1) %more, i64 %id
  %b = load float, ptr addrspace(1) %pb
  %s = fadd float %a, %b
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %s, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @vectors(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out, float %factor) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %id
  %a = load <4 x float>, ptr addrspace(1) %pa
  %pb = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %id
  %b = load <4 x float>, ptr addrspace(1) %pb
  %one = insertelement <4 x float> poison, float %factor, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %m = fmul <4 x float> %a, %all
  %s = fadd <4 x float> %m, %b
  store <4 x float> %s, ptr addrspace(1) %pb
  ret void
}

define spir_kernel void @stride(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %at = mul i64 %id, 9
  %pa = getelementptr float, ptr addrspace(1) %in, i64 %at
  %a = load float, ptr addrspace(1) %pa
  %s = fadd float %a, %a
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %s, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @narrow(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %number = trunc i64 %id to i32
  %index = sext i32 %number to i64
  %place = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %place
  %s = fadd float %v, %v
  %to = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float %s, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @one(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %to = getelementptr double, ptr addrspace(1) %out, i64 %id
  call spir_func void @_Z7barrierj(i32 2)
  %is.first = icmp eq i64 %id, 0
  br i1 %is.first, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %place = getelementptr double, ptr addrspace(1) %in, i64 %i
  %v = load double, ptr addrspace(1) %place
  %sum = load double, ptr addrspace(1) %to
  %sum.next = fadd double %sum, %v
  store double %sum.next, ptr addrspace(1) %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 256
  br i1 %more, label %loop, label %end
end:
  ret void
}

; RUN: --passes=vector-alignment
; Vectors that work-items share are read and written where their elements may lie; private ones, and numbers, are left alone.

; CHECK: define void @access(ptr addrspace(1) %in, ptr addrspace(3) align 4 %local, ptr align 16 %private)
define void @access(ptr addrspace(1) align 16 %in, ptr addrspace(3) align 4 %local, ptr align 16 %private) {
; CHECK: load <4 x float>, ptr addrspace(1) %in, align 4
; CHECK: load <2 x i64>, ptr addrspace(3) %local, align 8
; CHECK: load <4 x half>, ptr addrspace(1) %in, align 1{{$}}
; CHECK: load i64, ptr addrspace(1) %in, align 8
; CHECK: store <4 x float> %a, ptr addrspace(1) %in, align 4
; CHECK: store <4 x float> %a, ptr %private, align 16
; CHECK: call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) align 8 %in, ptr addrspace(3) align 4 %local, i64 32, i1 false)
  %a = load <4 x float>, ptr addrspace(1) %in, align 16
  %b = load <2 x i64>, ptr addrspace(3) %local, align 16
  %c = load <4 x half>, ptr addrspace(1) %in, align 1
  %d = load i64, ptr addrspace(1) %in, align 8
  store <4 x float> %a, ptr addrspace(1) %in, align 16
  store <4 x float> %a, ptr %private, align 16
  call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) align 16 %in, ptr addrspace(3) align 4 %local, i64 32, i1 false)
  ret void
}

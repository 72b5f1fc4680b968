; RUN: --passes=prepare-kernels
; A function may be called with a variable that was not written; arguments of kernels always have a value.

; CHECK: define void @k(ptr addrspace(1) noundef %p)
; CHECK: %x = call i32 @helper(i32 undef)
; CHECK: %y = call i32 @_Z19sub_group_broadcastij(i32 %x, i32 0)
; CHECK: define internal i32 @helper(i32 %x)
; CHECK: declare i32 @_Z19sub_group_broadcastij(i32, i32)
define spir_kernel void @k(ptr addrspace(1) noundef %p) {
entry:
  %x = call spir_func noundef i32 @helper(i32 noundef undef)
  %y = call spir_func noundef i32 @_Z19sub_group_broadcastij(i32 noundef %x, i32 noundef 0)
  store i32 %y, ptr addrspace(1) %p
  ret void
}

define spir_func noundef i32 @helper(i32 noundef %x) {
  ret i32 %x
}

declare spir_func noundef i32 @_Z19sub_group_broadcastij(i32 noundef, i32 noundef)

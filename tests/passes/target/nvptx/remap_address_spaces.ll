; RUN: --passes=nvptx-remap-address-spaces --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; Generic pointers, also to private memory, are in space 0, constant ones in space 1; casts within a space vanish.

; CHECK: @table = internal addrspace(1) constant [2 x i32] [i32 1, i32 2]
; CHECK: @pointer = internal addrspace(1) global ptr addrspace(1) @table
; CHECK: @generic = internal addrspace(1) global ptr addrspacecast (ptr addrspace(1) @counter to ptr)
; CHECK: @null = internal addrspace(1) global ptr addrspace(1) null
; CHECK-LABEL: define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) noalias readonly %in)
; CHECK-NEXT: %x = alloca i32
; CHECK-NEXT: call spir_func void @take(ptr %x)
; CHECK-NEXT: %g = addrspacecast ptr addrspace(1) %out to ptr
; CHECK-NEXT: call spir_func void @take(ptr %g)
; CHECK-NEXT: call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %out, ptr addrspace(1) @table, i64 8, i1 false)
@counter = internal addrspace(1) global i32 0
@table = internal addrspace(2) constant [2 x i32] [i32 1, i32 2]
@pointer = internal addrspace(1) global ptr addrspace(2) @table
@generic = internal addrspace(1) global ptr addrspace(4) addrspacecast (ptr addrspace(1) @counter to ptr addrspace(4))
@null = internal addrspace(1) global ptr addrspace(1) addrspacecast (ptr addrspace(4) null to ptr addrspace(1))

define spir_kernel void @k(ptr addrspace(1) %out, ptr addrspace(2) %in) {
  %x = alloca i32
  %p = addrspacecast ptr %x to ptr addrspace(4)
  call spir_func void @take(ptr addrspace(4) %p)
  %g = addrspacecast ptr addrspace(1) %out to ptr addrspace(4)
  call spir_func void @take(ptr addrspace(4) %g)
  call void @llvm.memcpy.p1.p2.i64(ptr addrspace(1) %out, ptr addrspace(2) @table, i64 8, i1 false)
  ret void
}

declare spir_func void @take(ptr addrspace(4))
declare void @llvm.memcpy.p1.p2.i64(ptr addrspace(1), ptr addrspace(2), i64, i1)

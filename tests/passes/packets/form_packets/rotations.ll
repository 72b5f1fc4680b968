; RUN: --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A rotation by a constant, as of ciphers, costs packets two shifts and what joins them, not what one by different numbers does.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: = !{!"kernel rotations, region 0: {{.*}}costs packets 9.{{[0-9]+}},
define spir_kernel void @rotations(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %v = load i32, ptr addrspace(1) %from
  %r0 = call i32 @llvm.fshl.i32(i32 %v, i32 %v, i32 3)
  %x0 = xor i32 %r0, 1000
  %r1 = call i32 @llvm.fshl.i32(i32 %x0, i32 %x0, i32 5)
  %x1 = xor i32 %r1, 1001
  %r2 = call i32 @llvm.fshl.i32(i32 %x1, i32 %x1, i32 7)
  %x2 = xor i32 %r2, 1002
  %r3 = call i32 @llvm.fshl.i32(i32 %x2, i32 %x2, i32 9)
  %x3 = xor i32 %r3, 1003
  %r4 = call i32 @llvm.fshl.i32(i32 %x3, i32 %x3, i32 11)
  %x4 = xor i32 %r4, 1004
  %r5 = call i32 @llvm.fshl.i32(i32 %x4, i32 %x4, i32 13)
  %x5 = xor i32 %r5, 1005
  %r6 = call i32 @llvm.fshl.i32(i32 %x5, i32 %x5, i32 15)
  %x6 = xor i32 %r6, 1006
  %r7 = call i32 @llvm.fshl.i32(i32 %x6, i32 %x6, i32 17)
  %x7 = xor i32 %r7, 1007
  %r8 = call i32 @llvm.fshl.i32(i32 %x7, i32 %x7, i32 19)
  %x8 = xor i32 %r8, 1008
  %r9 = call i32 @llvm.fshl.i32(i32 %x8, i32 %x8, i32 21)
  %x9 = xor i32 %r9, 1009
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %x9, ptr addrspace(1) %to
  ret void
}

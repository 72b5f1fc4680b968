; RUN: --target=x86_64;cpu=x86-64-v4 --baseline --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Packets inline the functions that work-items one by one call. Baseline code is soon replaced, and that much more of it takes long to compile.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: = !{!"kernel chain, region 0: one work-item after the other, {{.*}} which is not worth {{[45][0-9][0-9]}} instructions more"}
define spir_kernel void @chain(ptr addrspace(1) %table, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v0 = trunc i64 %gid to i32
  %v1 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v0)
  %v2 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v1)
  %v3 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v2)
  %v4 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v3)
  %v5 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v4)
  %v6 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v5)
  %v7 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v6)
  %v8 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v7)
  %v9 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v8)
  %v10 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v9)
  %v11 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v10)
  %v12 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v11)
  %v13 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v12)
  %v14 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v13)
  %v15 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v14)
  %v16 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v15)
  %v17 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v16)
  %v18 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v17)
  %v19 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v18)
  %v20 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v19)
  %v21 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v20)
  %v22 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v21)
  %v23 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v22)
  %v24 = call spir_func i32 @follow(ptr addrspace(1) %table, i32 %v23)
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %v24, ptr addrspace(1) %po
  ret void
}

define internal spir_func i32 @follow(ptr addrspace(1) %table, i32 %from) {
entry:
  %m0 = and i32 %from, 1023
  %i0 = zext i32 %m0 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %table, i64 %i0
  %x0 = load i32, ptr addrspace(1) %p0
  %s0 = add i32 %x0, %from
  %m1 = and i32 %s0, 1023
  %x1 = mul i32 %m1, %from
  %s1 = add i32 %x1, %s0
  %m2 = and i32 %s1, 1023
  %i2 = zext i32 %m2 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %table, i64 %i2
  %x2 = load i32, ptr addrspace(1) %p2
  %s2 = add i32 %x2, %s1
  %m3 = and i32 %s2, 1023
  %i3 = zext i32 %m3 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %table, i64 %i3
  %x3 = load i32, ptr addrspace(1) %p3
  %t = mul i32 %x3, %x2
  %u = mul i32 %t, %x1
  %w = mul i32 %u, %x0
  %y = xor i32 %w, %t
  %z = mul i32 %y, %u
  %s3 = add i32 %z, %s2
  ret i32 %s3
}

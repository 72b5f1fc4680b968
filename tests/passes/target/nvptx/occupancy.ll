; RUN: --steps=optimize --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; What the driver's compiler is told about the work-items that a multiprocessor needs: 256 where the size of work-groups is known,
; the largest work-group elsewhere, and nothing of kernels that may need more registers than that leaves.

; CHECK: define {{.*}}@known({{.*}} #[[KNOWN:[0-9]+]]
; CHECK: define {{.*}}@unknown({{.*}} #[[UNKNOWN:[0-9]+]]
; CHECK: define {{.*}}@full({{.*}} #[[FULL:[0-9]+]]
; CHECK-DAG: attributes #[[KNOWN]] = {{.*}}"nvvm.minctasm"="4"{{.*}}"nvvm.reqntid"="16,4,1"
; CHECK-DAG: attributes #[[UNKNOWN]] = {{.*}}"nvvm.maxntid"="1024,1,1"{{.*}}"nvvm.minctasm"="1"
; CHECK-DAG: attributes #[[FULL]] = { {{[^"]*}}"quern-starts-early" }
define ptx_kernel void @known(ptr addrspace(1) %out) "nvvm.reqntid"="16,4,1" {
  store i32 1, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @unknown(ptr addrspace(1) %out) {
  store i32 2, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @full(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v0 = load volatile i32, ptr addrspace(1) %in
  %v1 = load volatile i32, ptr addrspace(1) %in
  %v2 = load volatile i32, ptr addrspace(1) %in
  %v3 = load volatile i32, ptr addrspace(1) %in
  %v4 = load volatile i32, ptr addrspace(1) %in
  %v5 = load volatile i32, ptr addrspace(1) %in
  %v6 = load volatile i32, ptr addrspace(1) %in
  %v7 = load volatile i32, ptr addrspace(1) %in
  %v8 = load volatile i32, ptr addrspace(1) %in
  %v9 = load volatile i32, ptr addrspace(1) %in
  %v10 = load volatile i32, ptr addrspace(1) %in
  %v11 = load volatile i32, ptr addrspace(1) %in
  %v12 = load volatile i32, ptr addrspace(1) %in
  %v13 = load volatile i32, ptr addrspace(1) %in
  %v14 = load volatile i32, ptr addrspace(1) %in
  %v15 = load volatile i32, ptr addrspace(1) %in
  %v16 = load volatile i32, ptr addrspace(1) %in
  %v17 = load volatile i32, ptr addrspace(1) %in
  %v18 = load volatile i32, ptr addrspace(1) %in
  %v19 = load volatile i32, ptr addrspace(1) %in
  %v20 = load volatile i32, ptr addrspace(1) %in
  %v21 = load volatile i32, ptr addrspace(1) %in
  %v22 = load volatile i32, ptr addrspace(1) %in
  %v23 = load volatile i32, ptr addrspace(1) %in
  %v24 = load volatile i32, ptr addrspace(1) %in
  %v25 = load volatile i32, ptr addrspace(1) %in
  %v26 = load volatile i32, ptr addrspace(1) %in
  %v27 = load volatile i32, ptr addrspace(1) %in
  %v28 = load volatile i32, ptr addrspace(1) %in
  %v29 = load volatile i32, ptr addrspace(1) %in
  %v30 = load volatile i32, ptr addrspace(1) %in
  %v31 = load volatile i32, ptr addrspace(1) %in
  %v32 = load volatile i32, ptr addrspace(1) %in
  %v33 = load volatile i32, ptr addrspace(1) %in
  %v34 = load volatile i32, ptr addrspace(1) %in
  %v35 = load volatile i32, ptr addrspace(1) %in
  %v36 = load volatile i32, ptr addrspace(1) %in
  %v37 = load volatile i32, ptr addrspace(1) %in
  %v38 = load volatile i32, ptr addrspace(1) %in
  %v39 = load volatile i32, ptr addrspace(1) %in
  %v40 = load volatile i32, ptr addrspace(1) %in
  %v41 = load volatile i32, ptr addrspace(1) %in
  %v42 = load volatile i32, ptr addrspace(1) %in
  %v43 = load volatile i32, ptr addrspace(1) %in
  %v44 = load volatile i32, ptr addrspace(1) %in
  %v45 = load volatile i32, ptr addrspace(1) %in
  %v46 = load volatile i32, ptr addrspace(1) %in
  %v47 = load volatile i32, ptr addrspace(1) %in
  %s1 = xor i32 %v0, %v1
  %s2 = xor i32 %s1, %v2
  %s3 = xor i32 %s2, %v3
  %s4 = xor i32 %s3, %v4
  %s5 = xor i32 %s4, %v5
  %s6 = xor i32 %s5, %v6
  %s7 = xor i32 %s6, %v7
  %s8 = xor i32 %s7, %v8
  %s9 = xor i32 %s8, %v9
  %s10 = xor i32 %s9, %v10
  %s11 = xor i32 %s10, %v11
  %s12 = xor i32 %s11, %v12
  %s13 = xor i32 %s12, %v13
  %s14 = xor i32 %s13, %v14
  %s15 = xor i32 %s14, %v15
  %s16 = xor i32 %s15, %v16
  %s17 = xor i32 %s16, %v17
  %s18 = xor i32 %s17, %v18
  %s19 = xor i32 %s18, %v19
  %s20 = xor i32 %s19, %v20
  %s21 = xor i32 %s20, %v21
  %s22 = xor i32 %s21, %v22
  %s23 = xor i32 %s22, %v23
  %s24 = xor i32 %s23, %v24
  %s25 = xor i32 %s24, %v25
  %s26 = xor i32 %s25, %v26
  %s27 = xor i32 %s26, %v27
  %s28 = xor i32 %s27, %v28
  %s29 = xor i32 %s28, %v29
  %s30 = xor i32 %s29, %v30
  %s31 = xor i32 %s30, %v31
  %s32 = xor i32 %s31, %v32
  %s33 = xor i32 %s32, %v33
  %s34 = xor i32 %s33, %v34
  %s35 = xor i32 %s34, %v35
  %s36 = xor i32 %s35, %v36
  %s37 = xor i32 %s36, %v37
  %s38 = xor i32 %s37, %v38
  %s39 = xor i32 %s38, %v39
  %s40 = xor i32 %s39, %v40
  %s41 = xor i32 %s40, %v41
  %s42 = xor i32 %s41, %v42
  %s43 = xor i32 %s42, %v43
  %s44 = xor i32 %s43, %v44
  %s45 = xor i32 %s44, %v45
  %s46 = xor i32 %s45, %v46
  %s47 = xor i32 %s46, %v47
  store i32 %s47, ptr addrspace(1) %out
  ret void
}

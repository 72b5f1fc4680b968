; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Packets of 8 doubles fill a register. Where each goes on at more places of memory than the processor reads ahead of, those of 16 and 32
; are compared with them (48), and none that is narrower. 15 rows and a result are not too many, and neither are 20 numbers within a
; page, or rows of local memory.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define i32 @many.region.0(
; CHECK-SAME: #[[MANY:[0-9]+]]
define spir_kernel void @many(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row.0 = getelementptr double, ptr addrspace(1) %in, i64 %gid
  %sum.0 = load double, ptr addrspace(1) %row.0
  %row.1 = getelementptr double, ptr addrspace(1) %row.0, i64 %n
  %x.1 = load double, ptr addrspace(1) %row.1
  %sum.1 = fadd double %sum.0, %x.1
  %row.2 = getelementptr double, ptr addrspace(1) %row.1, i64 %n
  %x.2 = load double, ptr addrspace(1) %row.2
  %sum.2 = fadd double %sum.1, %x.2
  %row.3 = getelementptr double, ptr addrspace(1) %row.2, i64 %n
  %x.3 = load double, ptr addrspace(1) %row.3
  %sum.3 = fadd double %sum.2, %x.3
  %row.4 = getelementptr double, ptr addrspace(1) %row.3, i64 %n
  %x.4 = load double, ptr addrspace(1) %row.4
  %sum.4 = fadd double %sum.3, %x.4
  %row.5 = getelementptr double, ptr addrspace(1) %row.4, i64 %n
  %x.5 = load double, ptr addrspace(1) %row.5
  %sum.5 = fadd double %sum.4, %x.5
  %row.6 = getelementptr double, ptr addrspace(1) %row.5, i64 %n
  %x.6 = load double, ptr addrspace(1) %row.6
  %sum.6 = fadd double %sum.5, %x.6
  %row.7 = getelementptr double, ptr addrspace(1) %row.6, i64 %n
  %x.7 = load double, ptr addrspace(1) %row.7
  %sum.7 = fadd double %sum.6, %x.7
  %row.8 = getelementptr double, ptr addrspace(1) %row.7, i64 %n
  %x.8 = load double, ptr addrspace(1) %row.8
  %sum.8 = fadd double %sum.7, %x.8
  %row.9 = getelementptr double, ptr addrspace(1) %row.8, i64 %n
  %x.9 = load double, ptr addrspace(1) %row.9
  %sum.9 = fadd double %sum.8, %x.9
  %row.10 = getelementptr double, ptr addrspace(1) %row.9, i64 %n
  %x.10 = load double, ptr addrspace(1) %row.10
  %sum.10 = fadd double %sum.9, %x.10
  %row.11 = getelementptr double, ptr addrspace(1) %row.10, i64 %n
  %x.11 = load double, ptr addrspace(1) %row.11
  %sum.11 = fadd double %sum.10, %x.11
  %row.12 = getelementptr double, ptr addrspace(1) %row.11, i64 %n
  %x.12 = load double, ptr addrspace(1) %row.12
  %sum.12 = fadd double %sum.11, %x.12
  %row.13 = getelementptr double, ptr addrspace(1) %row.12, i64 %n
  %x.13 = load double, ptr addrspace(1) %row.13
  %sum.13 = fadd double %sum.12, %x.13
  %row.14 = getelementptr double, ptr addrspace(1) %row.13, i64 %n
  %x.14 = load double, ptr addrspace(1) %row.14
  %sum.14 = fadd double %sum.13, %x.14
  %row.15 = getelementptr double, ptr addrspace(1) %row.14, i64 %n
  %x.15 = load double, ptr addrspace(1) %row.15
  %sum.15 = fadd double %sum.14, %x.15
  %place = getelementptr double, ptr addrspace(1) %out, i64 %gid
  store double %sum.15, ptr addrspace(1) %place
  ret void
}

; CHECK-LABEL: define i32 @few.region.0(
; CHECK-SAME: #[[FEW:[0-9]+]]
define spir_kernel void @few(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row.0 = getelementptr double, ptr addrspace(1) %in, i64 %gid
  %sum.0 = load double, ptr addrspace(1) %row.0
  %row.1 = getelementptr double, ptr addrspace(1) %row.0, i64 %n
  %x.1 = load double, ptr addrspace(1) %row.1
  %sum.1 = fadd double %sum.0, %x.1
  %row.2 = getelementptr double, ptr addrspace(1) %row.1, i64 %n
  %x.2 = load double, ptr addrspace(1) %row.2
  %sum.2 = fadd double %sum.1, %x.2
  %row.3 = getelementptr double, ptr addrspace(1) %row.2, i64 %n
  %x.3 = load double, ptr addrspace(1) %row.3
  %sum.3 = fadd double %sum.2, %x.3
  %row.4 = getelementptr double, ptr addrspace(1) %row.3, i64 %n
  %x.4 = load double, ptr addrspace(1) %row.4
  %sum.4 = fadd double %sum.3, %x.4
  %row.5 = getelementptr double, ptr addrspace(1) %row.4, i64 %n
  %x.5 = load double, ptr addrspace(1) %row.5
  %sum.5 = fadd double %sum.4, %x.5
  %row.6 = getelementptr double, ptr addrspace(1) %row.5, i64 %n
  %x.6 = load double, ptr addrspace(1) %row.6
  %sum.6 = fadd double %sum.5, %x.6
  %row.7 = getelementptr double, ptr addrspace(1) %row.6, i64 %n
  %x.7 = load double, ptr addrspace(1) %row.7
  %sum.7 = fadd double %sum.6, %x.7
  %row.8 = getelementptr double, ptr addrspace(1) %row.7, i64 %n
  %x.8 = load double, ptr addrspace(1) %row.8
  %sum.8 = fadd double %sum.7, %x.8
  %row.9 = getelementptr double, ptr addrspace(1) %row.8, i64 %n
  %x.9 = load double, ptr addrspace(1) %row.9
  %sum.9 = fadd double %sum.8, %x.9
  %row.10 = getelementptr double, ptr addrspace(1) %row.9, i64 %n
  %x.10 = load double, ptr addrspace(1) %row.10
  %sum.10 = fadd double %sum.9, %x.10
  %row.11 = getelementptr double, ptr addrspace(1) %row.10, i64 %n
  %x.11 = load double, ptr addrspace(1) %row.11
  %sum.11 = fadd double %sum.10, %x.11
  %row.12 = getelementptr double, ptr addrspace(1) %row.11, i64 %n
  %x.12 = load double, ptr addrspace(1) %row.12
  %sum.12 = fadd double %sum.11, %x.12
  %row.13 = getelementptr double, ptr addrspace(1) %row.12, i64 %n
  %x.13 = load double, ptr addrspace(1) %row.13
  %sum.13 = fadd double %sum.12, %x.13
  %row.14 = getelementptr double, ptr addrspace(1) %row.13, i64 %n
  %x.14 = load double, ptr addrspace(1) %row.14
  %sum.14 = fadd double %sum.13, %x.14
  %place = getelementptr double, ptr addrspace(1) %out, i64 %gid
  store double %sum.14, ptr addrspace(1) %place
  ret void
}

; CHECK-LABEL: define i32 @near.region.0(
; CHECK-SAME: #[[NEAR:[0-9]+]]
define spir_kernel void @near(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row.0 = getelementptr double, ptr addrspace(1) %in, i64 %gid
  %sum.0 = load double, ptr addrspace(1) %row.0
  %row.1 = getelementptr [16 x i8], ptr addrspace(1) %row.0, i64 1
  %x.1 = load double, ptr addrspace(1) %row.1
  %sum.1 = fadd double %sum.0, %x.1
  %row.2 = getelementptr [16 x i8], ptr addrspace(1) %row.1, i64 1
  %x.2 = load double, ptr addrspace(1) %row.2
  %sum.2 = fadd double %sum.1, %x.2
  %row.3 = getelementptr [16 x i8], ptr addrspace(1) %row.2, i64 1
  %x.3 = load double, ptr addrspace(1) %row.3
  %sum.3 = fadd double %sum.2, %x.3
  %row.4 = getelementptr [16 x i8], ptr addrspace(1) %row.3, i64 1
  %x.4 = load double, ptr addrspace(1) %row.4
  %sum.4 = fadd double %sum.3, %x.4
  %row.5 = getelementptr [16 x i8], ptr addrspace(1) %row.4, i64 1
  %x.5 = load double, ptr addrspace(1) %row.5
  %sum.5 = fadd double %sum.4, %x.5
  %row.6 = getelementptr [16 x i8], ptr addrspace(1) %row.5, i64 1
  %x.6 = load double, ptr addrspace(1) %row.6
  %sum.6 = fadd double %sum.5, %x.6
  %row.7 = getelementptr [16 x i8], ptr addrspace(1) %row.6, i64 1
  %x.7 = load double, ptr addrspace(1) %row.7
  %sum.7 = fadd double %sum.6, %x.7
  %row.8 = getelementptr [16 x i8], ptr addrspace(1) %row.7, i64 1
  %x.8 = load double, ptr addrspace(1) %row.8
  %sum.8 = fadd double %sum.7, %x.8
  %row.9 = getelementptr [16 x i8], ptr addrspace(1) %row.8, i64 1
  %x.9 = load double, ptr addrspace(1) %row.9
  %sum.9 = fadd double %sum.8, %x.9
  %row.10 = getelementptr [16 x i8], ptr addrspace(1) %row.9, i64 1
  %x.10 = load double, ptr addrspace(1) %row.10
  %sum.10 = fadd double %sum.9, %x.10
  %row.11 = getelementptr [16 x i8], ptr addrspace(1) %row.10, i64 1
  %x.11 = load double, ptr addrspace(1) %row.11
  %sum.11 = fadd double %sum.10, %x.11
  %row.12 = getelementptr [16 x i8], ptr addrspace(1) %row.11, i64 1
  %x.12 = load double, ptr addrspace(1) %row.12
  %sum.12 = fadd double %sum.11, %x.12
  %row.13 = getelementptr [16 x i8], ptr addrspace(1) %row.12, i64 1
  %x.13 = load double, ptr addrspace(1) %row.13
  %sum.13 = fadd double %sum.12, %x.13
  %row.14 = getelementptr [16 x i8], ptr addrspace(1) %row.13, i64 1
  %x.14 = load double, ptr addrspace(1) %row.14
  %sum.14 = fadd double %sum.13, %x.14
  %row.15 = getelementptr [16 x i8], ptr addrspace(1) %row.14, i64 1
  %x.15 = load double, ptr addrspace(1) %row.15
  %sum.15 = fadd double %sum.14, %x.15
  %row.16 = getelementptr [16 x i8], ptr addrspace(1) %row.15, i64 1
  %x.16 = load double, ptr addrspace(1) %row.16
  %sum.16 = fadd double %sum.15, %x.16
  %row.17 = getelementptr [16 x i8], ptr addrspace(1) %row.16, i64 1
  %x.17 = load double, ptr addrspace(1) %row.17
  %sum.17 = fadd double %sum.16, %x.17
  %row.18 = getelementptr [16 x i8], ptr addrspace(1) %row.17, i64 1
  %x.18 = load double, ptr addrspace(1) %row.18
  %sum.18 = fadd double %sum.17, %x.18
  %row.19 = getelementptr [16 x i8], ptr addrspace(1) %row.18, i64 1
  %x.19 = load double, ptr addrspace(1) %row.19
  %sum.19 = fadd double %sum.18, %x.19
  %place = getelementptr double, ptr addrspace(1) %out, i64 %gid
  store double %sum.19, ptr addrspace(1) %place
  ret void
}

; CHECK-LABEL: define i32 @local.region.0(
; CHECK-SAME: #[[LOCAL:[0-9]+]]
define spir_kernel void @local(ptr addrspace(3) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row.0 = getelementptr double, ptr addrspace(3) %in, i64 %gid
  %sum.0 = load double, ptr addrspace(3) %row.0
  %row.1 = getelementptr double, ptr addrspace(3) %row.0, i64 %n
  %x.1 = load double, ptr addrspace(3) %row.1
  %sum.1 = fadd double %sum.0, %x.1
  %row.2 = getelementptr double, ptr addrspace(3) %row.1, i64 %n
  %x.2 = load double, ptr addrspace(3) %row.2
  %sum.2 = fadd double %sum.1, %x.2
  %row.3 = getelementptr double, ptr addrspace(3) %row.2, i64 %n
  %x.3 = load double, ptr addrspace(3) %row.3
  %sum.3 = fadd double %sum.2, %x.3
  %row.4 = getelementptr double, ptr addrspace(3) %row.3, i64 %n
  %x.4 = load double, ptr addrspace(3) %row.4
  %sum.4 = fadd double %sum.3, %x.4
  %row.5 = getelementptr double, ptr addrspace(3) %row.4, i64 %n
  %x.5 = load double, ptr addrspace(3) %row.5
  %sum.5 = fadd double %sum.4, %x.5
  %row.6 = getelementptr double, ptr addrspace(3) %row.5, i64 %n
  %x.6 = load double, ptr addrspace(3) %row.6
  %sum.6 = fadd double %sum.5, %x.6
  %row.7 = getelementptr double, ptr addrspace(3) %row.6, i64 %n
  %x.7 = load double, ptr addrspace(3) %row.7
  %sum.7 = fadd double %sum.6, %x.7
  %row.8 = getelementptr double, ptr addrspace(3) %row.7, i64 %n
  %x.8 = load double, ptr addrspace(3) %row.8
  %sum.8 = fadd double %sum.7, %x.8
  %row.9 = getelementptr double, ptr addrspace(3) %row.8, i64 %n
  %x.9 = load double, ptr addrspace(3) %row.9
  %sum.9 = fadd double %sum.8, %x.9
  %row.10 = getelementptr double, ptr addrspace(3) %row.9, i64 %n
  %x.10 = load double, ptr addrspace(3) %row.10
  %sum.10 = fadd double %sum.9, %x.10
  %row.11 = getelementptr double, ptr addrspace(3) %row.10, i64 %n
  %x.11 = load double, ptr addrspace(3) %row.11
  %sum.11 = fadd double %sum.10, %x.11
  %row.12 = getelementptr double, ptr addrspace(3) %row.11, i64 %n
  %x.12 = load double, ptr addrspace(3) %row.12
  %sum.12 = fadd double %sum.11, %x.12
  %row.13 = getelementptr double, ptr addrspace(3) %row.12, i64 %n
  %x.13 = load double, ptr addrspace(3) %row.13
  %sum.13 = fadd double %sum.12, %x.13
  %row.14 = getelementptr double, ptr addrspace(3) %row.13, i64 %n
  %x.14 = load double, ptr addrspace(3) %row.14
  %sum.14 = fadd double %sum.13, %x.14
  %row.15 = getelementptr double, ptr addrspace(3) %row.14, i64 %n
  %x.15 = load double, ptr addrspace(3) %row.15
  %sum.15 = fadd double %sum.14, %x.15
  %place = getelementptr double, ptr addrspace(1) %out, i64 %gid
  store double %sum.15, ptr addrspace(1) %place
  ret void
}

; CHECK: attributes #[[MANY]] = {{.*}}"quern-alternative-widths"="48" {{.*}}"quern-chosen-width"="8"
; CHECK: attributes #[[FEW]] = {{.*}}"quern-alternative-widths"="4" {{.*}}"quern-chosen-width"="8"
; CHECK: attributes #[[NEAR]] = {{.*}}"quern-alternative-widths"="4" {{.*}}"quern-chosen-width"="8"
; CHECK: attributes #[[LOCAL]] = {{.*}}"quern-alternative-widths"="4" {{.*}}"quern-chosen-width"="8"

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Two packets of long code without loops run at once where each instruction waits for the one before. In short code the processor
; finds those of the next packet by itself.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @long.region.0(
; CHECK-SAME: [[LONG:#[0-9]+]]
; CHECK-LABEL: define {{.*}} @short.region.0(
; CHECK-SAME: [[SHORT:#[0-9]+]]
; CHECK-LABEL: define {{.*}} @long.region.0.tile(
; CHECK: fmul <4 x float>
; CHECK-NEXT: fmul <4 x float>
; CHECK: attributes [[LONG]] = {{.*}}"quern-tile-columns"="2"
; CHECK: attributes [[SHORT]] = {{.*}}"quern-tile-columns"="1"

define spir_kernel void @long(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %source = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %x = load float, ptr addrspace(1) %source
  %y = call float @of_long(float %x)
  %place = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %y, ptr addrspace(1) %place
  ret void
}

define float @of_long(float %x0) convergent {
  %y0 = fmul float %x0, %x0
  %x1 = fadd float %y0, 0.5
  %y1 = fmul float %x1, %x1
  %x2 = fadd float %y1, 1.5
  %y2 = fmul float %x2, %x2
  %x3 = fadd float %y2, 2.5
  %y3 = fmul float %x3, %x3
  %x4 = fadd float %y3, 3.5
  %y4 = fmul float %x4, %x4
  %x5 = fadd float %y4, 4.5
  %y5 = fmul float %x5, %x5
  %x6 = fadd float %y5, 5.5
  %y6 = fmul float %x6, %x6
  %x7 = fadd float %y6, 6.5
  %y7 = fmul float %x7, %x7
  %x8 = fadd float %y7, 7.5
  %y8 = fmul float %x8, %x8
  %x9 = fadd float %y8, 8.5
  %y9 = fmul float %x9, %x9
  %x10 = fadd float %y9, 9.5
  %y10 = fmul float %x10, %x10
  %x11 = fadd float %y10, 10.5
  %y11 = fmul float %x11, %x11
  %x12 = fadd float %y11, 11.5
  %y12 = fmul float %x12, %x12
  %x13 = fadd float %y12, 12.5
  %y13 = fmul float %x13, %x13
  %x14 = fadd float %y13, 13.5
  %y14 = fmul float %x14, %x14
  %x15 = fadd float %y14, 14.5
  %y15 = fmul float %x15, %x15
  %x16 = fadd float %y15, 15.5
  %y16 = fmul float %x16, %x16
  %x17 = fadd float %y16, 16.5
  %y17 = fmul float %x17, %x17
  %x18 = fadd float %y17, 17.5
  %y18 = fmul float %x18, %x18
  %x19 = fadd float %y18, 18.5
  %y19 = fmul float %x19, %x19
  %x20 = fadd float %y19, 19.5
  %y20 = fmul float %x20, %x20
  %x21 = fadd float %y20, 20.5
  %y21 = fmul float %x21, %x21
  %x22 = fadd float %y21, 21.5
  %y22 = fmul float %x22, %x22
  %x23 = fadd float %y22, 22.5
  %y23 = fmul float %x23, %x23
  %x24 = fadd float %y23, 23.5
  %y24 = fmul float %x24, %x24
  %x25 = fadd float %y24, 24.5
  %y25 = fmul float %x25, %x25
  %x26 = fadd float %y25, 25.5
  %y26 = fmul float %x26, %x26
  %x27 = fadd float %y26, 26.5
  %y27 = fmul float %x27, %x27
  %x28 = fadd float %y27, 27.5
  %y28 = fmul float %x28, %x28
  %x29 = fadd float %y28, 28.5
  %y29 = fmul float %x29, %x29
  %x30 = fadd float %y29, 29.5
  %y30 = fmul float %x30, %x30
  %x31 = fadd float %y30, 30.5
  %y31 = fmul float %x31, %x31
  %x32 = fadd float %y31, 31.5
  %y32 = fmul float %x32, %x32
  %x33 = fadd float %y32, 32.5
  %y33 = fmul float %x33, %x33
  %x34 = fadd float %y33, 33.5
  %y34 = fmul float %x34, %x34
  %x35 = fadd float %y34, 34.5
  %y35 = fmul float %x35, %x35
  %x36 = fadd float %y35, 35.5
  %y36 = fmul float %x36, %x36
  %x37 = fadd float %y36, 36.5
  %y37 = fmul float %x37, %x37
  %x38 = fadd float %y37, 37.5
  %y38 = fmul float %x38, %x38
  %x39 = fadd float %y38, 38.5
  %y39 = fmul float %x39, %x39
  %x40 = fadd float %y39, 39.5
  %y40 = fmul float %x40, %x40
  %x41 = fadd float %y40, 40.5
  %y41 = fmul float %x41, %x41
  %x42 = fadd float %y41, 41.5
  %y42 = fmul float %x42, %x42
  %x43 = fadd float %y42, 42.5
  %y43 = fmul float %x43, %x43
  %x44 = fadd float %y43, 43.5
  %y44 = fmul float %x44, %x44
  %x45 = fadd float %y44, 44.5
  %y45 = fmul float %x45, %x45
  %x46 = fadd float %y45, 45.5
  %y46 = fmul float %x46, %x46
  %x47 = fadd float %y46, 46.5
  %y47 = fmul float %x47, %x47
  %x48 = fadd float %y47, 47.5
  %y48 = fmul float %x48, %x48
  %x49 = fadd float %y48, 48.5
  %y49 = fmul float %x49, %x49
  %x50 = fadd float %y49, 49.5
  %y50 = fmul float %x50, %x50
  %x51 = fadd float %y50, 50.5
  %y51 = fmul float %x51, %x51
  %x52 = fadd float %y51, 51.5
  %y52 = fmul float %x52, %x52
  %x53 = fadd float %y52, 52.5
  %y53 = fmul float %x53, %x53
  %x54 = fadd float %y53, 53.5
  %y54 = fmul float %x54, %x54
  %x55 = fadd float %y54, 54.5
  %y55 = fmul float %x55, %x55
  %x56 = fadd float %y55, 55.5
  %y56 = fmul float %x56, %x56
  %x57 = fadd float %y56, 56.5
  %y57 = fmul float %x57, %x57
  %x58 = fadd float %y57, 57.5
  %y58 = fmul float %x58, %x58
  %x59 = fadd float %y58, 58.5
  %y59 = fmul float %x59, %x59
  %x60 = fadd float %y59, 59.5
  %y60 = fmul float %x60, %x60
  %x61 = fadd float %y60, 60.5
  %y61 = fmul float %x61, %x61
  %x62 = fadd float %y61, 61.5
  %y62 = fmul float %x62, %x62
  %x63 = fadd float %y62, 62.5
  %y63 = fmul float %x63, %x63
  %x64 = fadd float %y63, 63.5
  %y64 = fmul float %x64, %x64
  %x65 = fadd float %y64, 64.5
  %y65 = fmul float %x65, %x65
  %x66 = fadd float %y65, 65.5
  %y66 = fmul float %x66, %x66
  %x67 = fadd float %y66, 66.5
  %y67 = fmul float %x67, %x67
  %x68 = fadd float %y67, 67.5
  %y68 = fmul float %x68, %x68
  %x69 = fadd float %y68, 68.5
  %y69 = fmul float %x69, %x69
  %x70 = fadd float %y69, 69.5
  %y70 = fmul float %x70, %x70
  %x71 = fadd float %y70, 70.5
  %y71 = fmul float %x71, %x71
  %x72 = fadd float %y71, 71.5
  %y72 = fmul float %x72, %x72
  %x73 = fadd float %y72, 72.5
  %y73 = fmul float %x73, %x73
  %x74 = fadd float %y73, 73.5
  %y74 = fmul float %x74, %x74
  %x75 = fadd float %y74, 74.5
  %y75 = fmul float %x75, %x75
  %x76 = fadd float %y75, 75.5
  %y76 = fmul float %x76, %x76
  %x77 = fadd float %y76, 76.5
  %y77 = fmul float %x77, %x77
  %x78 = fadd float %y77, 77.5
  %y78 = fmul float %x78, %x78
  %x79 = fadd float %y78, 78.5
  %y79 = fmul float %x79, %x79
  %x80 = fadd float %y79, 79.5
  ret float %x80
}

define spir_kernel void @short(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %source = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %x = load float, ptr addrspace(1) %source
  %y = call float @of_short(float %x)
  %place = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %y, ptr addrspace(1) %place
  ret void
}

define float @of_short(float %x0) convergent {
  %y0 = fmul float %x0, %x0
  %x1 = fadd float %y0, 0.5
  %y1 = fmul float %x1, %x1
  %x2 = fadd float %y1, 1.5
  %y2 = fmul float %x2, %x2
  %x3 = fadd float %y2, 2.5
  %y3 = fmul float %x3, %x3
  %x4 = fadd float %y3, 3.5
  %y4 = fmul float %x4, %x4
  %x5 = fadd float %y4, 4.5
  %y5 = fmul float %x5, %x5
  %x6 = fadd float %y5, 5.5
  %y6 = fmul float %x6, %x6
  %x7 = fadd float %y6, 6.5
  %y7 = fmul float %x7, %x7
  %x8 = fadd float %y7, 7.5
  %y8 = fmul float %x8, %x8
  %x9 = fadd float %y8, 8.5
  %y9 = fmul float %x9, %x9
  %x10 = fadd float %y9, 9.5
  %y10 = fmul float %x10, %x10
  %x11 = fadd float %y10, 10.5
  %y11 = fmul float %x11, %x11
  %x12 = fadd float %y11, 11.5
  %y12 = fmul float %x12, %x12
  %x13 = fadd float %y12, 12.5
  %y13 = fmul float %x13, %x13
  %x14 = fadd float %y13, 13.5
  %y14 = fmul float %x14, %x14
  %x15 = fadd float %y14, 14.5
  %y15 = fmul float %x15, %x15
  %x16 = fadd float %y15, 15.5
  %y16 = fmul float %x16, %x16
  %x17 = fadd float %y16, 16.5
  %y17 = fmul float %x17, %x17
  %x18 = fadd float %y17, 17.5
  %y18 = fmul float %x18, %x18
  %x19 = fadd float %y18, 18.5
  %y19 = fmul float %x19, %x19
  %x20 = fadd float %y19, 19.5
  %y20 = fmul float %x20, %x20
  %x21 = fadd float %y20, 20.5
  %y21 = fmul float %x21, %x21
  %x22 = fadd float %y21, 21.5
  %y22 = fmul float %x22, %x22
  %x23 = fadd float %y22, 22.5
  %y23 = fmul float %x23, %x23
  %x24 = fadd float %y23, 23.5
  %y24 = fmul float %x24, %x24
  %x25 = fadd float %y24, 24.5
  %y25 = fmul float %x25, %x25
  %x26 = fadd float %y25, 25.5
  %y26 = fmul float %x26, %x26
  %x27 = fadd float %y26, 26.5
  %y27 = fmul float %x27, %x27
  %x28 = fadd float %y27, 27.5
  %y28 = fmul float %x28, %x28
  %x29 = fadd float %y28, 28.5
  %y29 = fmul float %x29, %x29
  %x30 = fadd float %y29, 29.5
  ret float %x30
}

; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),variable-alignment
; Variables are aligned as accesses to them claim, and accesses claim no more than their place allows.

; CHECK: @table = {{.*}} align 4
@table = internal addrspace(2) constant [3 x i16] [i16 1, i16 2, i16 3], align 2

; CHECK-LABEL: define {{.*}} @claims.item(
; CHECK: alloca [24 x i16], align 16
; CHECK: store volatile <8 x i16> {{.*}}, align 16
define spir_kernel void @claims(ptr addrspace(1) %out, i64 %n) {
  %values = alloca [24 x i16], align 2
  %place = getelementptr <8 x i16>, ptr %values, i64 %n
  store volatile <8 x i16> zeroinitializer, ptr %place, align 16
  ret void
}

; One of two arrays, at a place that is known late.
; CHECK-LABEL: define {{.*}} @either.item(
; CHECK-COUNT-2: alloca [24 x i16], align 32
; CHECK: store volatile <16 x i16> {{.*}}, align 32
define spir_kernel void @either(ptr addrspace(1) %out, i1 %which, i64 %n) {
  %a = alloca [24 x i16], align 2
  %b = alloca [24 x i16], align 4
  %p = select i1 %which, ptr %a, ptr %b
  %place = getelementptr <16 x i16>, ptr %p, i64 %n
  store volatile <16 x i16> zeroinitializer, ptr %place, align 32
  ret void
}

; No alignment of the array helps an odd place in it.
; CHECK-LABEL: define {{.*}} @between.item(
; CHECK: store volatile <4 x i16> {{.*}}, align 2
; CHECK: load volatile i32, {{.*}}, align 4
define spir_kernel void @between(ptr addrspace(1) %out, i64 %n) {
  %values = alloca [24 x i16], align 2
  %element = getelementptr <4 x i16>, ptr %values, i64 %n
  %place = getelementptr i8, ptr %element, i64 2
  store volatile <4 x i16> zeroinitializer, ptr %place, align 8
  %other = getelementptr i8, ptr %element, i64 4
  %v = load volatile i32, ptr %other, align 4
  %entry = getelementptr i16, ptr addrspace(2) @table, i64 %n
  %t = load i16, ptr addrspace(2) %entry
  store i16 %t, ptr addrspace(1) %out
  ret void
}

; What is never taken for more stays where it is.
; CHECK-LABEL: define {{.*}} @elements.item(
; CHECK: alloca [24 x i16], align 2
define spir_kernel void @elements(ptr addrspace(1) %out, i64 %n) {
  %values = alloca [24 x i16], align 2
  %place = getelementptr i16, ptr %values, i64 %n
  store volatile i16 7, ptr %place, align 2
  ret void
}

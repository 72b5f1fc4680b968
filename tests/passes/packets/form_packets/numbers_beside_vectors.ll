; RUN: --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Numbers beside a program's vectors cost what they do by themselves, one by one as in packets. LLVM may make vectors of them, so that
; one work-item after the other is an alternative where that could be as fast. What a condition skips counts as skipped by half.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @always.region.0(
; CHECK-SAME: [[ALWAYS:#[0-9]+]]
; CHECK: attributes [[ALWAYS]] = {{.*}}"quern-alternative-widths"="{{[0-9]*[13579]}}"
; CHECK: = !{!"kernel always, region 0: packets of 8 {{.*}}one by one {{1[67]}}.
; CHECK: = !{!"kernel sometimes, region 0: {{.*}}one by one 1{{[01]}}.
define spir_kernel void @always(ptr addrspace(1) noalias %as, ptr addrspace(1) noalias %bs, ptr addrspace(1) noalias %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr <4 x i8>, ptr addrspace(1) %as, i64 %id
  %a = load <4 x i8>, ptr addrspace(1) %from
  %place = getelementptr <4 x i8>, ptr addrspace(1) %bs, i64 %id
  %b = load <4 x i8>, ptr addrspace(1) %place
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  %a0 = extractelement <4 x i8> %a, i64 0
  %b0 = extractelement <4 x i8> %b, i64 0
  %x0 = zext i8 %a0 to i32
  %y0 = zext i8 %b0 to i32
  %p0 = mul i32 %x0, %y0
  %s0 = add i32 0, %p0
  %a1 = extractelement <4 x i8> %a, i64 1
  %b1 = extractelement <4 x i8> %b, i64 1
  %x1 = zext i8 %a1 to i32
  %y1 = zext i8 %b1 to i32
  %p1 = mul i32 %x1, %y1
  %s1 = add i32 %s0, %p1
  %a2 = extractelement <4 x i8> %a, i64 2
  %b2 = extractelement <4 x i8> %b, i64 2
  %x2 = zext i8 %a2 to i32
  %y2 = zext i8 %b2 to i32
  %p2 = mul i32 %x2, %y2
  %s2 = add i32 %s1, %p2
  %a3 = extractelement <4 x i8> %a, i64 3
  %b3 = extractelement <4 x i8> %b, i64 3
  %x3 = zext i8 %a3 to i32
  %y3 = zext i8 %b3 to i32
  %p3 = mul i32 %x3, %y3
  %s3 = add i32 %s2, %p3
  store i32 %s3, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @sometimes(ptr addrspace(1) noalias %as, ptr addrspace(1) noalias %bs, ptr addrspace(1) noalias %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr <4 x i8>, ptr addrspace(1) %as, i64 %id
  %a = load <4 x i8>, ptr addrspace(1) %from
  %place = getelementptr <4 x i8>, ptr addrspace(1) %bs, i64 %id
  %b = load <4 x i8>, ptr addrspace(1) %place
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  %first = extractelement <4 x i8> %a, i64 0
  %is = icmp ugt i8 %first, 100
  br i1 %is, label %some, label %done

some:
  %a0 = extractelement <4 x i8> %a, i64 0
  %b0 = extractelement <4 x i8> %b, i64 0
  %x0 = zext i8 %a0 to i32
  %y0 = zext i8 %b0 to i32
  %p0 = mul i32 %x0, %y0
  %s0 = add i32 0, %p0
  %a1 = extractelement <4 x i8> %a, i64 1
  %b1 = extractelement <4 x i8> %b, i64 1
  %x1 = zext i8 %a1 to i32
  %y1 = zext i8 %b1 to i32
  %p1 = mul i32 %x1, %y1
  %s1 = add i32 %s0, %p1
  %a2 = extractelement <4 x i8> %a, i64 2
  %b2 = extractelement <4 x i8> %b, i64 2
  %x2 = zext i8 %a2 to i32
  %y2 = zext i8 %b2 to i32
  %p2 = mul i32 %x2, %y2
  %s2 = add i32 %s1, %p2
  %a3 = extractelement <4 x i8> %a, i64 3
  %b3 = extractelement <4 x i8> %b, i64 3
  %x3 = zext i8 %a3 to i32
  %y3 = zext i8 %b3 to i32
  %p3 = mul i32 %x3, %y3
  %s3 = add i32 %s2, %p3
  store i32 %s3, ptr addrspace(1) %to
  br label %done

done:
  ret void
}

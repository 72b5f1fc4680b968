; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A loop that all work-items leave together stays a loop: what is the same for all is read once, neighbours' elements as a vector.
; An index of type int is computed in 64 bits, where it cannot wrap.

declare spir_func i64 @_Z13get_global_idj(i32)

; The last packet of a row may have work-items outside the group, which neither load nor store.
; Whole packets run eight at a time; what they have in common is made once.

; CHECK: define {{.*}} @mm.region.0({{.*}}) {{.*}}#[[REGION:[0-9]+]]
; CHECK-LABEL: define {{.*}} @mm.region.0.packet(
; CHECK: [[REST:%.*]] = sub nuw i64 %size.x, %item.x
; CHECK: %inside = icmp ult <4 x i32> <i32 0, i32 1, i32 2, i32 3>,
; CHECK: call void @llvm.masked.store.v4f32.p1(<4 x float> %{{.*}}, ptr addrspace(1) align 4 %pc, <4 x i1> %inside)
; CHECK: load float, ptr addrspace(1)
; CHECK: mul nsw i64
; CHECK: [[INDEX:%.*]] = add i64
; CHECK: [[PLACE:%.*]] = getelementptr float, ptr addrspace(1) %b, i64 [[INDEX]]
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 [[PLACE]], <4 x i1> %inside,
; CHECK: call <4 x float> @llvm.fmuladd.v4f32(

; CHECK-LABEL: define {{.*}} @mm.region.0.tile(
; CHECK-NOT: mask
; CHECK-COUNT-8: store <4 x float> %{{.*}}, ptr addrspace(1) %pc
; CHECK: {{^}}body
; CHECK-COUNT-1: load float, ptr addrspace(1)
; CHECK-COUNT-1: mul nsw i64
; CHECK-COUNT-8: load <4 x float>, ptr addrspace(1)
; CHECK-COUNT-8: call <4 x float> @llvm.fmuladd.v4f32(
; CHECK: attributes #[[REGION]] = {{.*}}"quern-packet"="mm.region.0.packet" "quern-packet-width"="4"
; CHECK-SAME: "quern-tile"="mm.region.0.tile" "quern-tile-columns"="8" "quern-tile-rows"="1"
define spir_kernel void @mm(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  br label %head

head:
  %k = phi i32 [ 0, %entry ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %done

body:
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %k
  %va = load float, ptr addrspace(1) %pa
  %row = mul nsw i32 %k, %n
  %index = add nsw i32 %row, %x
  %wide = sext i32 %index to i64
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %wide
  %vb = load float, ptr addrspace(1) %pb
  %sum.next = call float @llvm.fmuladd.f32(float %va, float %vb, float %sum)
  %k.next = add nsw i32 %k, 1
  br label %head

done:
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %gid
  store float %sum, ptr addrspace(1) %pc
  ret void
}

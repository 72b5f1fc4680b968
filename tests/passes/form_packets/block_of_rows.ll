; RUN: --steps=prepare-kernels,item-functions,clean-up,flat-dimensions,isolate-barriers,form-regions,form-packets
; A block of packets from two rows and four columns of the group: a column's element is loaded once for both rows, a row's once for
; four columns. That the ids lie inside the matrix is tested once for the block, which does nothing where it is not so.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @mm.region.0.block(
; CHECK: [[COLUMN:%.*]] = add nuw i64 %item.x, 4
; CHECK: [[ROW:%.*]] = add nuw i64 %item.y, 1
; CHECK: [[ALL:%.*]] = call i1 @llvm.vector.reduce.and.v4i1(
; CHECK: br i1 {{%.*}}, label %guarded, label %nothing.done
; CHECK: {{^}}body
; CHECK-COUNT-2: load float, ptr addrspace(1) %pa
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1) %pb
; CHECK-COUNT-8: call <4 x float> @llvm.fmuladd.v4f32(
; CHECK: ret i32 -1
; CHECK: attributes {{.*}}"quern-block-columns"="4" "quern-block-rows"="2"
define spir_kernel void @mm(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %m, i64 %n) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %x.in = icmp ult i64 %x, %n
  %y.in = icmp ult i64 %y, %m
  %inside = select i1 %x.in, i1 %y.in, i1 false
  br i1 %inside, label %start, label %end

start:
  %row = mul i64 %y, %n
  br label %body

body:
  %k = phi i64 [ 0, %start ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %start ], [ %sum.next, %body ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %ia
  %va = load float, ptr addrspace(1) %pa
  %kn = mul i64 %k, %n
  %ib = add i64 %kn, %x
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %ib
  %vb = load float, ptr addrspace(1) %pb
  %sum.next = call float @llvm.fmuladd.f32(float %va, float %vb, float %sum)
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %body, label %done

done:
  %ic = add i64 %row, %x
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %ic
  store float %sum.next, ptr addrspace(1) %pc
  br label %end

end:
  ret void
}

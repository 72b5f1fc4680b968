; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,isolate-barriers,form-regions,form-packets
; A tile of packets from two rows and four columns of the group: a column's element is loaded once for both rows, a row's once for
; four columns. That the ids lie inside the matrix is asked of the block's last column and of its last row; the block does nothing
; where it is not so. What a row is multiplied by leads from one row to the next.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @mm.region.0.tile(
; CHECK: [[COLUMN:%.*]] = add nuw i64 %item.x, 4
; CHECK: [[ROW:%.*]] = add nuw i64 %item.y, 1
; CHECK: [[LAST_ROW:%.*]] = add nuw i64 %first.y, [[ROW]]
; CHECK-NOT: reduce.and
; CHECK: [[LAST:%.*]] = add i64 {{%.*}}, 15
; CHECK: [[ACROSS:%.*]] = icmp ult i64 [[LAST]],
; CHECK: [[LAST_ID:%.*]] = freeze i64 [[LAST_ROW]]
; CHECK: [[DOWN:%.*]] = icmp ult i64 [[LAST_ID]],
; CHECK-NEXT: [[ALL:%.*]] = and i1 [[ACROSS]], [[DOWN]]
; CHECK-NEXT: br i1 [[ALL]], label %guarded, label %nothing.done
; CHECK: [[START:%.*]] = mul i64 {{%.*}}, %n
; CHECK: [[STEP:%.*]] = mul i64 %n, 1
; CHECK: add i64 [[START]], [[STEP]]
; CHECK: {{^}}body
; CHECK: load float, ptr addrspace(1) %pa
; CHECK: load float, ptr addrspace(1)
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1) %pb
; CHECK-COUNT-8: call <4 x float> @llvm.fmuladd.v4f32(
; CHECK: ret i32 -1
; CHECK: attributes {{.*}}"quern-tile-columns"="4" "quern-tile-rows"="2"
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

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A loop over what lies a whole NDRange apart: as long as the last work-item of the block has an iteration to make, all make it without a mask. Then those that are left go on alone.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z15get_global_sizej(i32)

; CHECK-LABEL: define {{.*}} @sum.region.0.tile(
; CHECK: head:
; CHECK: [[FIRST:%.*]] = freeze i64
; CHECK: [[LAST:%.*]] = add i64 [[FIRST]], 15
; CHECK: [[ORDERED:%.*]] = icmp ule i64 [[FIRST]], [[LAST]]
; CHECK: [[INSIDE:%.*]] = icmp ult i64 [[LAST]],
; CHECK: [[ALL:%.*]] = and i1 [[ORDERED]], [[INSIDE]]
; CHECK-NEXT: br i1 [[ALL]], label %head.edge, label %[[REST:head.edge.*]]
; CHECK: body:
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK: br label %head
; CHECK: body.rest:
; CHECK: call <4 x float> @llvm.masked.load
; CHECK: [[TWO_AGAIN:%.*]] = or <4 x i1> %{{[0-9]+}}, %{{[0-9]+}}
; CHECK-NEXT: [[THREE_AGAIN:%.*]] = or <4 x i1> [[TWO_AGAIN]], %{{[0-9]+}}
; CHECK-NEXT: [[AGAIN:%.*]] = or <4 x i1> [[THREE_AGAIN]], %{{[0-9]+}}
; CHECK-NEXT: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> [[AGAIN]])
; CHECK-NEXT: br i1 [[ANY]], label %[[ITERATION:head.rest.iteration]]
; CHECK: [[REST]]:
; CHECK: br label %head.rest
; CHECK: [[ITERATION]]:
; CHECK: icmp ult <4 x i64>
define spir_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %step = call spir_func i64 @_Z15get_global_sizej(i32 0)
  br label %head

head:
  %i = phi i64 [ %id, %0 ], [ %next, %body ]
  %sum = phi float [ 0.0, %0 ], [ %more, %body ]
  %again = icmp ult i64 %i, %n
  br i1 %again, label %body, label %done

body:
  %place = getelementptr float, ptr addrspace(1) %in, i64 %i
  %value = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %value
  %next = add i64 %i, %step
  br label %head

done:
  %result = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %sum, ptr addrspace(1) %result
  ret void
}

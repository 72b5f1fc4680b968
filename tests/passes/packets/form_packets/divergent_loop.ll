; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A loop that work-items leave at different times runs as long as one is in it, which is asked once before it, and keeps what each had when
; it left.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @escape.region.0.packet(
; CHECK-NOT: alloca
; CHECK: head:
; CHECK: [[FIRST:%.*]] = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %inside)
; CHECK: br i1 [[FIRST]], label %[[ITERATION:head.iteration]], label %head.nobody
; CHECK: body:
; CHECK: [[AGAIN:%.*]] = or <4 x i1>
; CHECK: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> [[AGAIN]])
; CHECK: br i1 [[ANY]], label %[[ITERATION]], label
; CHECK: [[ITERATION]]:
; CHECK: [[MASK:%head.mask.*]] = phi <4 x i1> [ %inside, {{.*}} ], [ [[AGAIN]], {{.*}} ]
; CHECK: fcmp olt <4 x float>
; CHECK: select <4 x i1> [[MASK]], <4 x i1> {{.*}}, <4 x i1> zeroinitializer
define spir_kernel void @escape(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %start = load float, ptr addrspace(1) %pi
  br label %head

head:
  %v = phi float [ %start, %entry ], [ %v.next, %body ]
  %n = phi i32 [ 0, %entry ], [ %n.next, %body ]
  %inside = fcmp olt float %v, 4.0
  br i1 %inside, label %body, label %done

body:
  %v.next = fmul float %v, %start
  %n.next = add i32 %n, 1
  br label %head

done:
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %n, ptr addrspace(1) %po
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; A kernel that does not ask in which row or plane it is mostly runs in one: what a row changes in memory does not lie in registers
; until the next one. Where the kernel asks for the row, only planes are alike.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @quern.kernel.scale(
; CHECK: br i1 {{.*}}, label %items.y, label %{{.*}}, !llvm.loop [[SCALE_Y:![0-9]+]]
; CHECK: br i1 {{.*}}, label %items.z, label %{{.*}}, !llvm.loop [[SCALE_Z:![0-9]+]]
define spir_kernel void @scale(ptr addrspace(1) %p) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %q = getelementptr float, ptr addrspace(1) %p, i64 %x
  %v = load float, ptr addrspace(1) %q
  %w = fmul float %v, 3.0
  store float %w, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define void @quern.kernel.rows(
; CHECK: br i1 {{.*}}, label %items.y, label %{{[^!]*}}{{$}}
; CHECK: br i1 {{.*}}, label %items.z, label %{{.*}}, !llvm.loop [[ROWS_Z:![0-9]+]]
define spir_kernel void @rows(ptr addrspace(1) %p) {
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %q = getelementptr float, ptr addrspace(1) %p, i64 %y
  store float 3.0, ptr addrspace(1) %q
  ret void
}

; CHECK-DAG: [[NO_LICM:![0-9]+]] = !{!"llvm.licm.disable"
; CHECK-DAG: [[SCALE_Y]] = distinct !{[[SCALE_Y]], {{.*}}, [[NO_LICM]]}
; CHECK-DAG: [[SCALE_Z]] = distinct !{[[SCALE_Z]], {{.*}}, [[NO_LICM]]}
; CHECK-DAG: [[ROWS_Z]] = distinct !{[[ROWS_Z]], {{.*}}, [[NO_LICM]]}

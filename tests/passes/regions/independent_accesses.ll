; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; Plain accesses to shared memory and to the context's slots are independent between work-items, and the loop over them says
; so. Atomics and volatile accesses are not, nor are variables in the frame.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: [[X:%.*]] = load i32, ptr addrspace(1) {{%.*}}, align 4, !llvm.access.group [[GROUP0:![0-9]+]]
; CHECK: store volatile i32 {{%.*}}, ptr addrspace(1) {{%.*}}, align 4{{$}}
; CHECK: atomicrmw add ptr addrspace(1) {{%.*}} monotonic, align 4{{$}}
; CHECK: store i32 [[X]], ptr %temporary{{.*}}, align 4{{$}}
; CHECK: store i32 [[X]], ptr %x.slot{{.*}}, align 4, !llvm.access.group [[GROUP0]]
; CHECK: br i1 {{%.*}}, label %items.x, label %items.x.done, !llvm.loop [[LOOP0:![0-9]+]]
; CHECK: load i32, ptr %x.slot{{.*}}, !llvm.access.group [[GROUP1:![0-9]+]]
; CHECK: br i1 {{.*}}, !llvm.loop [[LOOP1:![0-9]+]]
; CHECK-DAG: [[LOOP0]] = distinct !{[[LOOP0]], [[PARALLEL0:![0-9]+]], [[UNROLL:![0-9]+]]}
; CHECK-DAG: [[PARALLEL0]] = !{!"llvm.loop.parallel_accesses", [[GROUP0]]}
; CHECK-DAG: [[PARALLEL1:![0-9]+]] = !{!"llvm.loop.parallel_accesses", [[GROUP1]]}
define spir_kernel void @k(ptr addrspace(1) %p) {
  %temporary = alloca i32
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %x = load i32, ptr addrspace(1) %q
  store volatile i32 %x, ptr addrspace(1) %q
  %old = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic
  store i32 %x, ptr %temporary
  call spir_func void @_Z7barrierj(i32 1)
  store i32 %x, ptr addrspace(1) %q
  ret void
}

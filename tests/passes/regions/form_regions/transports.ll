; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; What lives across a barrier: a loaded value goes to the context, a uniform value to the group's own block, and what is cheap
; to make from ids and arguments is made again.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: [[VARYING:%.*]] = load i32, ptr addrspace(1) %q
; CHECK: [[UNIFORM:%.*]] = load i32, ptr addrspace(1) %p
; CHECK: to.1:
; CHECK: [[ITEM:%.*]] = mul nuw i64 %item.index, 4
; CHECK: [[SLOT:%.*]] = getelementptr inbounds i8, ptr {{%.*}}, i64 [[ITEM]]
; CHECK: store i32 [[VARYING]], ptr [[SLOT]]
; CHECK: [[ADDRESS:%.*]] = getelementptr inbounds i8, ptr %uniforms.out, i64 0
; CHECK: store i32 [[UNIFORM]], ptr [[ADDRESS]]
; CHECK-NEXT: ret i32 1

; CHECK-LABEL: define i32 @k.region.1(
; CHECK: start:
; CHECK-DAG: [[Q:%.*]] = getelementptr i32, ptr addrspace(1) %p, i64 %item.x
; CHECK-DAG: [[U:%.*]] = load i32, ptr {{%.*}}
; CHECK-DAG: [[V:%.*]] = load i32, ptr {{%.*}}
; CHECK: add i32
; CHECK: store i32 {{%.*}}, ptr addrspace(1) [[Q]]
; CHECK: ret i32 0

; CHECK-DAG: "quern-context-item-bytes"="4" {{.*}}"quern-exits"="1"{{.*}}"quern-region"="0"{{.*}}"quern-uniform-bytes"="4"
; CHECK-DAG: "quern-exits"="0"{{.*}}"quern-region"="1"
define spir_kernel void @k(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %varying = load i32, ptr addrspace(1) %q
  %uniform = load i32, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 1)
  %sum = add i32 %varying, %uniform
  store i32 %sum, ptr addrspace(1) %q
  ret void
}

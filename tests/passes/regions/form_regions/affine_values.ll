; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; What is affine in the ids is made again behind a barrier though it takes more instructions than others may, so that accesses
; by it are still seen to be of neighbours. A product of ids is not affine, and as long: it goes to the context.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define i32 @affine.region.1(
; CHECK-NOT: load
; CHECK: %row = mul nsw i32 %columns, {{%.*}}
; CHECK: %index = add nsw i32 %row, {{%.*}}
; CHECK: [[ADDRESS:%.*]] = getelementptr inbounds i32, ptr addrspace(1) %p, i64 {{%.*}}
; CHECK: store i32 2, ptr addrspace(1) [[ADDRESS]]
; CHECK-LABEL: define i32 @product.region.1(
; CHECK: load ptr addrspace(1), ptr {{%.*}}slot
; CHECK-NOT: mul nsw i32
; CHECK: attributes
; CHECK-DAG: "quern-context-item-bytes"="0" {{.*}}"quern-exits"="1"{{.*}}"quern-kernel"="affine"
; CHECK-DAG: "quern-context-item-bytes"="8" {{.*}}"quern-exits"="1"{{.*}}"quern-kernel"="product"
define spir_kernel void @affine(ptr addrspace(1) %p, i32 %columns) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %column = trunc i64 %x to i32
  %line = trunc i64 %y to i32
  %row = mul nsw i32 %columns, %line
  %index = add nsw i32 %row, %column
  %wide = sext i32 %index to i64
  %address = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  store i32 1, ptr addrspace(1) %address
  call spir_func void @_Z7barrierj(i32 1)
  store i32 2, ptr addrspace(1) %address
  ret void
}

define spir_kernel void @product(ptr addrspace(1) %p, i32 %columns) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %column = trunc i64 %x to i32
  %line = trunc i64 %y to i32
  %row = mul nsw i32 %column, %line
  %index = add nsw i32 %row, %column
  %wide = sext i32 %index to i64
  %address = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  store i32 1, ptr addrspace(1) %address
  call spir_func void @_Z7barrierj(i32 1)
  store i32 2, ptr addrspace(1) %address
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; One place says which region is next, for all after which work-items may wait for different ones: the first, which some leave for
; either barrier (regions 1 and 2), and region 1, while others wait for 2 and it leads to 3. After the others there is but one.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: group.done: ; preds = %{{[a-z.0-9]+}}{{$}}
; CHECK: region.1: ; preds = %[[DISPATCH:[a-z.0-9]+]]{{$}}
; CHECK: region.2: ; preds = %[[DISPATCH]]{{$}}
; CHECK: region.3: ; preds = %[[DISPATCH]], %{{[a-z.0-9]+}}{{$}}
; CHECK: dispatch: ; preds = %{{[a-z.0-9]+}}, %{{[a-z.0-9]+}}{{$}}
; CHECK: switch i32 %{{[0-9]+}}, label %region.3 [
; CHECK-NEXT: i32 0, label %region.1
; CHECK-NEXT: i32 1, label %region.2
; CHECK-NEXT: ]
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %c = icmp ult i64 %id, %n
  br i1 %c, label %one, label %other
one:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %p
  br label %both
other:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 2, ptr addrspace(1) %p
  br label %both
both:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 3, ptr addrspace(1) %p
  ret void
}

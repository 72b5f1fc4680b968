; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; A condition that lives across a barrier is a byte of the context, of which packets load several at once.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: [[WANTED:%.*]] = icmp
; CHECK: [[BYTE:%.*]] = zext i1 [[WANTED]] to i8
; CHECK: store i8 [[BYTE]], ptr %wanted.slot, align 1
; CHECK-LABEL: define i32 @k.region.1(
; CHECK: [[BYTE:%.*]] = load i8, ptr %wanted.slot, align 1
; CHECK: [[WANTED:%.*]] = trunc nuw i8 [[BYTE]] to i1
; CHECK: br i1 [[WANTED]]
define spir_kernel void @k(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  %v = load i32, ptr addrspace(1) %q
  %wanted = icmp sgt i32 %v, 0
  call spir_func void @_Z7barrierj(i32 1)
  br i1 %wanted, label %then, label %done
then:
  store i32 1, ptr addrspace(1) %q
  br label %done
done:
  ret void
}

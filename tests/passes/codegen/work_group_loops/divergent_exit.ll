; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,work-group-loops
; All work-items have ended unless the first region says otherwise; the lowest region that any waits for is next. After the second
; one they all have ended.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define void @quern.kernel.k(
; CHECK: %next.lowest = alloca i32
; CHECK: [[BYTES:%.*]] = mul nuw i64 %items, 4
; CHECK: call void @llvm.memset.p0.i64(ptr align 4 {{%.*}}, i8 -1, i64 [[BYTES]], i1 false)
; CHECK: region.1: ; preds = %{{[a-z.0-9]+}}{{$}}
; CHECK: store i32 0, ptr %next.slot
; CHECK: br label %dispatch{{$}}
; CHECK: dispatch: ; preds = %{{[a-z.0-9]+}}{{$}}
; CHECK: br label %group.done{{$}}
; CHECK: collective{{.*}}:
; CHECK: call <4 x i32> @llvm.umin.v4i32(
; CHECK: [[LOWEST:%.*]] = extractelement <4 x i32>
; CHECK: store i32 [[LOWEST]], ptr %next.lowest
; CHECK: [[NEXT:%.*]] = load i32, ptr %next.lowest
; CHECK: switch i32 [[NEXT]], label %group.done [
; CHECK-NEXT: i32 0, label %region.1
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %c = icmp ult i64 %id, %n
  br i1 %c, label %go, label %out
go:
  call spir_func void @_Z7barrierj(i32 1)
  store i32 1, ptr addrspace(1) %p
  br label %out
out:
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions
; A barrier in a loop: the code after it runs to the next iteration's barrier or to the end. The accumulator is both needed at the
; start of the region and made again in it.

declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define i32 @k.region.0(
; CHECK: br label %loop
; CHECK: loop:
; CHECK-NEXT: [[I0:%.*]] = phi i32 [ 0, %entry ]
; CHECK-NEXT: [[SUM0:%.*]] = phi i32 [ 0, %entry ]
; CHECK: to.1:
; CHECK-DAG: store i32 [[I0]], ptr {{%[0-9]+}}
; CHECK-DAG: store i32 [[SUM0]], ptr %sum.slot
; CHECK: ret i32 1

; CHECK-LABEL: define i32 @k.region.1(
; CHECK: start:
; CHECK-DAG: [[SUM:%.*]] = load i32, ptr %sum.slot
; CHECK-DAG: [[I:%.*]] = load i32, ptr {{%[0-9]+}}
; CHECK: after:
; CHECK: [[NEXT_SUM:%.*]] = add i32 [[SUM]]
; CHECK: [[NEXT_I:%.*]] = add i32 [[I]], 1
; CHECK: br i1 {{%.*}}, label %loop, label %done
; CHECK: done:
; CHECK: ret i32 0
; CHECK: loop:
; CHECK-NEXT: phi i32 [ [[NEXT_I]], %after ]
; CHECK-NEXT: phi i32 [ [[NEXT_SUM]], %after ]
; CHECK: to.1:
; CHECK: ret i32 1
; CHECK: "quern-exits"="0,1"
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %after ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %after ]
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  call spir_func void @_Z7barrierj(i32 1)
  br label %after
after:
  %x = load i32, ptr addrspace(1) %q
  %sum.next = add i32 %sum, %x
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %sum.next, ptr addrspace(1) %q
  ret void
}

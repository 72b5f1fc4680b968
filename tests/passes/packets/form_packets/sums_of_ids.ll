; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; The sum of an id and a number of at most 2^24 fits an int, wherever packets run; of a larger number it may not, and
; the packet asks.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @near.region.0.packet(
; CHECK-NOT: gather
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(
; CHECK-NOT: gather
; CHECK: ret i32 0

; CHECK-LABEL: @near.region.0.tile(
; CHECK-LABEL: define {{.*}} @far.region.0.packet(
; CHECK: icmp sle i32 {{.*}}, 2147483644
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(
; CHECK: call <4 x float> @llvm.masked.gather.v4f32.v4p1(
; CHECK: ret i32 0
define spir_kernel void @near(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %high = shl i64 %gid, 32
  %above = add i64 %high, 72057594037927936 ; 2^24 * 2^32
  %offset = ashr exact i64 %above, 30
  %address = getelementptr i8, ptr addrspace(1) %in, i64 %offset
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %value = load float, ptr addrspace(1) %address
  %added = fadd float %sum, %value
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  %place = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %added, ptr addrspace(1) %place
  ret void
}

define spir_kernel void @far(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %high = shl i64 %gid, 32
  %above = add i64 %high, 72057598332895232 ; (2^24 + 1) * 2^32
  %offset = ashr exact i64 %above, 30
  %address = getelementptr i8, ptr addrspace(1) %in, i64 %offset
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %value = load float, ptr addrspace(1) %address
  %added = fadd float %sum, %value
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  %place = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %added, ptr addrspace(1) %place
  ret void
}

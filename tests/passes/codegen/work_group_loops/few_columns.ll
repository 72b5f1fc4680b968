; RUN: --baseline --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,isolate-barriers,form-regions,form-packets,work-group-loops
; Code that is there before any launch also runs NDRanges of one work-item, for whose loop a packet takes as long as for 8 of
; them: it has a way without packets.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @quern.kernel.loop(
; CHECK: [[ARE_ENOUGH:%.*]] = icmp uge i64 %{{.*}}, {{[3-8]$}}
; CHECK: br i1 [[ARE_ENOUGH]], label %enough.columns, label %few.columns
; CHECK: {{^}}few.columns:
; CHECK-NEXT: br label %items.z
define spir_kernel void @loop(ptr addrspace(1) noalias %data, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul i64 %id, 50
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 1.0, %entry ], [ %product, %loop ]
  %jump = mul i64 %i, %n
  %place = add i64 %start, %jump
  %p = getelementptr float, ptr addrspace(1) %data, i64 %place
  %v = load float, ptr addrspace(1) %p
  %scaled = fmul float %v, %sum
  %product = fadd float %scaled, 1.0
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %product, ptr addrspace(1) %q
  ret void
}

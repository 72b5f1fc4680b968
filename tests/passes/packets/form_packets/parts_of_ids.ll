; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; The low bits of a local id count a packet's work-items, whose first has a multiple of the width; the others are the same for all
; of them. Neighbouring packets have others, so that a loop that depends on them runs in tiles of one packet.

declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: define {{.*}} @copy.region.0.tile(
; CHECK-NOT: mask
; CHECK: load <4 x float>
; CHECK: store <4 x float>
; CHECK: ret i32 0
; CHECK: attributes {{.*}}"quern-tile-columns"="1"
define spir_kernel void @copy(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %pitch) {
entry:
  %lid = call spir_func i64 @_Z12get_local_idj(i32 0)
  %column = and i64 %lid, 15
  %first = lshr i64 %lid, 4
  br label %loop

loop:
  %row = phi i64 [ %first, %entry ], [ %next, %loop ]
  %start = mul i64 %row, %pitch
  %place = add i64 %start, %column
  %pi = getelementptr float, ptr addrspace(1) %in, i64 %place
  %v = load float, ptr addrspace(1) %pi
  %po = getelementptr float, ptr addrspace(1) %out, i64 %place
  store float %v, ptr addrspace(1) %po
  %next = add i64 %row, 4
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %done

done:
  ret void
}

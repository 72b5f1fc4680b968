; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,isolate-barriers,form-regions,form-packets
; Where ids begin at 0, packets begin at multiples of their width: the low bits of a global id count a packet's work-items, and
; the others are the same for all of them, even as an int that is divided with its sign.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @known.region.0.packet(
; CHECK-NOT: gather
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(
; CHECK-NOT: gather
; CHECK: load float
; CHECK-NOT: gather
; CHECK: ret i32 0
define spir_kernel void @known(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %gid to i32
  %column = srem i32 %i, 16
  %row = sdiv i32 %i, 16
  %column64 = sext i32 %column to i64
  %row64 = sext i32 %row to i64
  %pc = getelementptr float, ptr addrspace(1) %in, i64 %column64
  %c = load float, ptr addrspace(1) %pc
  %pr = getelementptr float, ptr addrspace(1) %in, i64 %row64
  %r = load float, ptr addrspace(1) %pr
  %sum = fadd float %c, %r
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum, ptr addrspace(1) %po
  ret void
}

; A packet that begins elsewhere may lie in two rows, so it asks.
; CHECK-LABEL: define {{.*}} @unknown.region.0.packet(
; CHECK: br i1 %{{.*}}, label %together, label %each
; CHECK: gather
define spir_kernel void @unknown(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = and i64 %gid, 15
  %pc = getelementptr float, ptr addrspace(1) %in, i64 %column
  %c = load float, ptr addrspace(1) %pc
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %c, ptr addrspace(1) %po
  ret void
}

; Nor does it help where packets do not fill rows.
; CHECK-LABEL: define {{.*}} @others.region.0.packet(
; CHECK: gather
define spir_kernel void @others(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) #0 {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = urem i64 %gid, 10
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %place = add i64 %column, %i
  %pc = getelementptr float, ptr addrspace(1) %in, i64 %place
  %c = load float, ptr addrspace(1) %pc
  %added = fadd float %sum, %c
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %added, ptr addrspace(1) %po
  ret void
}

attributes #0 = { "quern-zero-offset" }

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Which work-items wait for a region is one more condition: a packet masks the others, and a tile tests once that none of its
; work-items is among them.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define {{.*}} @k.region.0.packet(
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr {{.*}}%next.slot
; CHECK-LABEL: define {{.*}} @k.region.0.tile(
; CHECK: br i1 {{%.*}}, label %guarded, label %nothing.done
; CHECK-NOT: llvm.masked.store
; CHECK: store <4 x i32> zeroinitializer, ptr %next.slot
; CHECK: guarded:
; CHECK-LABEL: define {{.*}} @k.region.1.packet(
; CHECK: icmp eq <4 x i32>
; CHECK: call void @llvm.masked.store.v4f32.p1(
; CHECK-LABEL: define {{.*}} @k.region.1.tile(
; CHECK: [[NEXT:%.*]] = load <4 x i32>, ptr %next.slot
; CHECK: [[WAITS:%.*]] = icmp eq <4 x i32> [[NEXT]], zeroinitializer
; CHECK: [[FROZEN:%.*]] = freeze <4 x i1> [[WAITS]]
; CHECK: call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> [[FROZEN]])
; CHECK: nothing.done:
; CHECK-NEXT: ret i32 -1
; CHECK-NOT: llvm.masked.store
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %gid, %n
  br i1 %inside, label %go, label %done

go:
  %p = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %v = load float, ptr addrspace(1) %p
  %w = fmul float %v, 2.0
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %w, ptr addrspace(1) %q
  call spir_func void @_Z7barrierj(i32 2)
  %other = xor i64 %gid, 1
  %r = getelementptr float, ptr addrspace(1) %out, i64 %other
  %x = load float, ptr addrspace(1) %r
  store float %x, ptr addrspace(1) %p
  br label %done

done:
  ret void
}

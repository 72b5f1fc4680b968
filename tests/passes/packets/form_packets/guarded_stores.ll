; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4
; Straight code becomes packets where a condition guards contiguous stores, so that only packets that it cuts store with a mask. Little
; code is there for several packets, after one test for all of them.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @guarded.region.0.packet(
; CHECK: call void @llvm.masked.store
; CHECK-LABEL: define {{.*}} @guarded.region.0.tile(
; CHECK-NOT: call {{.*}} @llvm.masked
; CHECK-COUNT-4: store <16 x float>
define spir_kernel void @guarded(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %gid, %n
  br i1 %inside, label %then, label %done

then:
  %p = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %v = load float, ptr addrspace(1) %p
  %product = fmul float %v, %v
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %product, ptr addrspace(1) %q
  br label %done

done:
  ret void
}

; LLVM's loops store whole vectors here,
; CHECK-NOT: @plain{{.*}}.packet
define spir_kernel void @plain(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %v = load float, ptr addrspace(1) %p
  %product = fmul float %v, %v
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %product, ptr addrspace(1) %q
  ret void
}

; a packet would need a mask as well for a condition on data,
; CHECK-NOT: @onData{{.*}}.packet
define spir_kernel void @onData(ptr addrspace(1) %in, ptr addrspace(1) %out, float %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %v = load float, ptr addrspace(1) %p
  %inside = fcmp ult float %v, %n
  br i1 %inside, label %then, label %done

then:
  %product = fmul float %v, %v
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %product, ptr addrspace(1) %q
  br label %done

done:
  ret void
}

; and for accesses that lie apart packets gain nothing.
; CHECK-NOT: @apart{{.*}}.packet
define spir_kernel void @apart(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %gid, %n
  br i1 %inside, label %then, label %done

then:
  %index = mul i64 %gid, 12
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %product = fmul float %v, %v
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %product, ptr addrspace(1) %q
  br label %done

done:
  ret void
}

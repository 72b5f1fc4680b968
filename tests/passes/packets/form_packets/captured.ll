; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v3;packets=4
; What a block has captured comes in a struct that the kernel is passed, and is the same for all work-items: also behind a barrier,
; and where an atomic operation takes a captured pointer, which gets the address space that it has.

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define {{.*}} @captured.region.0(
; CHECK: store ptr addrspace(1) {{.*}}, !quern.uniform
; CHECK-LABEL: define {{.*}} @captured.region.1.packet(
; CHECK: atomicrmw add ptr addrspace(1)
; CHECK: masked.store.v4i32
define spir_kernel void @captured(ptr byval({ ptr addrspace(1), ptr addrspace(1) }) align 8 %block) {
  %data = load ptr addrspace(1), ptr %block
  %second = getelementptr i8, ptr %block, i64 8
  %counter = load ptr addrspace(1), ptr %second
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  %number = trunc i64 %gid to i32
  store i32 %number, ptr addrspace(1) %p
  call spir_func void @_Z7barrierj(i32 2)
  %generic = addrspacecast ptr addrspace(1) %counter to ptr addrspace(4)
  %old = atomicrmw volatile add ptr addrspace(4) %generic, i32 1 monotonic
  %q = getelementptr i32, ptr addrspace(1) %data, i64 %gid
  store i32 7, ptr addrspace(1) %q
  ret void
}

; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(streamed-stores)
; Buffers that a kernel only writes: how much a work-item stores there, and, where no cache holds what all of them store, a mark.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @large.item(
; CHECK-SAME: ptr addrspace(1) noalias %in, ptr addrspace(1) noalias "quern-streamed" %out, ptr addrspace(1) %may.overlap, ptr addrspace(1) noalias %both
; CHECK-SAME: #[[LARGE:[0-9]+]]
define spir_kernel void @large(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, ptr addrspace(1) %may.overlap, ptr addrspace(1) noalias %both) #0 {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %gid
  %v = load <4 x float>, ptr addrspace(1) %p
  %q = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %gid
  store <4 x float> %v, ptr addrspace(1) %q
  %m = getelementptr i16, ptr addrspace(1) %may.overlap, i64 %gid
  store i16 1, ptr addrspace(1) %m
  %b = getelementptr i32, ptr addrspace(1) %both, i64 %gid
  %old = load i32, ptr addrspace(1) %b
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) %b
  ret void
}

; CHECK-LABEL: define void @any.item(
; CHECK-SAME: ptr addrspace(1) noalias %out
; CHECK-SAME: #[[ANY:[0-9]+]]
define spir_kernel void @any(ptr addrspace(1) noalias %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 1, ptr addrspace(1) %q
  ret void
}

; Others may wait for an atomic operation to see what was stored before.
; CHECK-LABEL: define void @ordered.item(
; CHECK-SAME: ptr addrspace(1) noalias %out
; CHECK-SAME: #[[ORDERED:[0-9]+]]
define spir_kernel void @ordered(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %flag) #0 {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 1, ptr addrspace(1) %q
  %f = atomicrmw add ptr addrspace(1) %flag, i32 1 release
  ret void
}

; Nobody knows what a loaded pointer points to.
; CHECK-LABEL: define void @unknown.item(
; CHECK-SAME: ptr addrspace(1) noalias %out
; CHECK-SAME: #[[UNKNOWN:[0-9]+]]
define spir_kernel void @unknown(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %list) #0 {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %other = load ptr addrspace(1), ptr addrspace(1) %list
  %v = load i32, ptr addrspace(1) %other
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %v, ptr addrspace(1) %q
  ret void
}

attributes #0 = { "quern-exceeds-caches" }

; CHECK-DAG: attributes #[[LARGE]] = {{.*}}"quern-stored-bytes"="18"
; CHECK-DAG: attributes #[[ANY]] = {{.*}}"quern-stored-bytes"="4"
; CHECK-NOT: attributes #[[ORDERED]] = {{.*}}"quern-stored-bytes"
; CHECK-NOT: attributes #[[UNKNOWN]] = {{.*}}"quern-stored-bytes"

; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(footprints)
; What keeps work-groups together, and what does not.

@variable = addrspace(1) global i32 0
@table = addrspace(2) constant [2 x i32] [i32 1, i32 2]

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32)
declare spir_func void @nobody_knows(ptr addrspace(1))

; CHECK-LABEL: define void @counts.item(
; CHECK-SAME: #[[ATOMIC:[0-9]+]]
define spir_kernel void @counts(ptr addrspace(1) %counter) {
  %old = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define void @waits.item(
; CHECK-SAME: #[[VOLATILE:[0-9]+]]
define spir_kernel void @waits(ptr addrspace(1) %flag) {
  %value = load volatile i32, ptr addrspace(1) %flag
  ret void
}

; CHECK-LABEL: define void @remembers.item(
; CHECK-SAME: #[[VARIABLE:[0-9]+]]
define spir_kernel void @remembers() {
  store i32 1, ptr addrspace(1) @variable
  ret void
}

; CHECK-LABEL: define void @follows.item(
; CHECK-SAME: #[[POINTER:[0-9]+]]
define spir_kernel void @follows(ptr addrspace(1) %list) {
  %next = load ptr addrspace(1), ptr addrspace(1) %list
  store i32 1, ptr addrspace(1) %next
  ret void
}

; CHECK-LABEL: define void @calls.item(
; CHECK-SAME: #[[CALL:[0-9]+]]
define spir_kernel void @calls(ptr addrspace(1) %data) {
  call spir_func void @nobody_knows(ptr addrspace(1) %data)
  ret void
}

; Local memory, barriers of global memory, fences and constants are nothing that others see.
; CHECK-LABEL: define void @keeps_to_itself.item(
; CHECK-SAME: #[[NONE:[0-9]+]]
define spir_kernel void @keeps_to_itself(ptr addrspace(1) %out, ptr addrspace(3) %local) {
  %old = atomicrmw add ptr addrspace(3) %local, i32 1 monotonic
  call spir_func void @_Z7barrierj(i32 3)
  fence seq_cst
  %value = load i32, ptr addrspace(2) @table
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: attributes #[[ATOMIC]] = {{.*}}"quern-footprint"="atomic; update 0 1 const.0"
; CHECK-DAG: attributes #[[VOLATILE]] = {{.*}}"quern-footprint"="volatile; read 0 4 const.0"
; CHECK-DAG: attributes #[[VARIABLE]] = {{.*}}"quern-footprint"="variable"
; CHECK-DAG: attributes #[[POINTER]] = {{.*}}"quern-footprint"="pointer; read 0 8 const.0"
; CHECK-DAG: attributes #[[CALL]] = {{.*}}"quern-footprint"="call; update 0 1 any"
; CHECK-DAG: attributes #[[NONE]] = {{.*}}"quern-footprint"="none; write 0 4 first.0 item.0 add const.4 mul"

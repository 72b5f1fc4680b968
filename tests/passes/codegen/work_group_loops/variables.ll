; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets,work-group-loops
; A program with variables of its own has all its code in one place: launches with ids from 2^31 on go to a function that runs one
; work-item after the other and is not optimised, nor is what only it calls.

@counter = addrspace(1) global i32 0

declare spir_func i64 @_Z13get_global_idj(i32)

define internal i32 @of(i32 %v) {
  %c = load i32, ptr addrspace(1) @counter
  %w = mul i32 %v, %c
  ret i32 %w
}

; CHECK-LABEL: define internal fastcc i32 @of(
; CHECK-SAME: [[CALLEE:#[0-9]+]]
; CHECK-LABEL: define void @quern.kernel.k(
; CHECK-SAME: [[ENTRY:#[0-9]+]]
; CHECK: icmp ugt i64 {{%.*}}, 2130706432
; CHECK: br i1 {{%.*}}, label %large.ids, label %large.ids.not
; CHECK: {{^}}large.ids:
; CHECK: call void @quern.kernel.k.items(ptr %arguments, ptr %launch, ptr %scratch, i64 %group.x.begin,
; CHECK: ret void
; CHECK: {{^}}packets.x:
; CHECK-LABEL: define internal void @quern.kernel.k.items(
; CHECK-SAME: [[RARE:#[0-9]+]]
; CHECK-NOT: packets
; CHECK: {{^}}items.x:
; CHECK-NOT: range-limit
; CHECK-DAG: attributes [[CALLEE]] = { {{.*}}noinline {{.*}}optnone
; CHECK-DAG: attributes [[RARE]] = { {{.*}}noinline {{.*}}optnone
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %p, i64 %gid
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %v = load i32, ptr addrspace(1) %place
  %w = call i32 @of(i32 %v)
  store i32 %w, ptr addrspace(1) %place
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  store i32 %n, ptr addrspace(1) @counter
  ret void
}

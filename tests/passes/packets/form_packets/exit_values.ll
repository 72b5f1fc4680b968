; RUN: --target=x86_64;cpu=x86-64;packets=4 --steps=prepare-kernels,work-item-bodies,isolate-barriers,form-regions,form-packets
; Work-items leave the outer loop each on its own, or all at its end: the constant that tells which differs between them.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @k.region.0.packet(
; CHECK: [[FOUND:%.*]] = select <4 x i1> {{.*}}, <4 x i32> splat (i32 1), <4 x i32>
; CHECK-NOT: select i1 {{.*}}, i32 1, i32
; CHECK: ret i32 0
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %outer
outer:
  %y = phi i64 [ 0, %entry ], [ %y.next, %next ]
  %more = icmp ult i64 %y, 3
  br i1 %more, label %inner, label %end
inner:
  %x = phi i64 [ 0, %outer ], [ %x.next, %again ]
  %sum = add i64 %x, %y
  %index = add i64 %sum, %id
  %place = getelementptr i32, ptr addrspace(1) %in, i64 %index
  %value = load i32, ptr addrspace(1) %place
  %none = icmp eq i32 %value, 0
  br i1 %none, label %again, label %left
again:
  %x.next = add i64 %x, 1
  %within = icmp ult i64 %x.next, 3
  br i1 %within, label %inner, label %left
left:
  br i1 %none, label %next, label %end
next:
  %y.next = add i64 %y, 1
  br label %outer
end:
  %found = phi i32 [ 0, %outer ], [ 1, %left ]
  %target = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %found, ptr addrspace(1) %target
  ret void
}

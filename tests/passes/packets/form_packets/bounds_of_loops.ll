; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v3;packets=4
; A loop that begins later and ends sooner near edges: a tile is made for all work-items to have the bounds that are the same for them.

declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.smax.i32(i32, i32)

; CHECK-LABEL: define {{.*}} @bounds.region.0.packet(
; CHECK: call <4 x float> @llvm.masked.gather.v4f32.v4p1(
; CHECK-LABEL: define {{.*}} @bounds.region.0.tile(
; CHECK: icmp slt <4 x i32>
; CHECK: br i1 {{%.*}}, label %guarded
; The bounds are numbers of all work-items: so is the counter, and nothing is masked.
; CHECK: %indvars.iv.0 = phi i64 [ 0, %guarded
; CHECK-NEXT: icmp slt i64 %indvars.iv.0
; CHECK: icmp sgt <4 x i32>
; CHECK: br i1 {{%.*}}, label %guarded
; CHECK: {{^}}together
; CHECK-NEXT: load <4 x float>, ptr addrspace(1)
; CHECK: {{^}}}
define spir_kernel void @bounds(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %items, i32 %half, i32 %taps) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  %right = add nsw i32 %x, %half
  %is.right = icmp slt i32 %right, %items
  %over = sub nsw i32 %right, %items
  %first = select i1 %is.right, i32 0, i32 %over
  %is.left = icmp sge i32 %x, %half
  %fewer = add nsw i32 %right, 1
  %end = select i1 %is.left, i32 %taps, i32 %fewer
  br label %loop

loop:
  %i = phi i32 [ %first, %entry ], [ %i.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %added, %body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %done

body:
  %index = sub nsw i32 %right, %i
  %wide = sext i32 %index to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %added = fadd float %sum, %v
  %i.next = add nsw i32 %i, 1
  br label %loop

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum, ptr addrspace(1) %po
  ret void
}

; The bound is limited before the loop is left there, and the tile is one packet wide.
; CHECK-LABEL: define {{.*}} @limited.region.0.tile(
; CHECK: br i1 {{%.*}}, label %guarded
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK-NOT: load <4 x float>, ptr addrspace(1)
; CHECK: {{^}}}
define spir_kernel void @limited(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %half, i32 %taps) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  %is.left = icmp sge i32 %x, %half
  %fewer = add nsw i32 %x, 1
  %chosen = select i1 %is.left, i32 %taps, i32 %fewer
  %some = call i32 @llvm.smax.i32(i32 %chosen, i32 1)
  %end = zext nneg i32 %some to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %index = sub nsw i64 %gid, %i
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %added = fadd float %sum, %v
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %end
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %added, ptr addrspace(1) %po
  ret void
}

; One work-item has the bound of all, the last one: that is not usual.
; CHECK-LABEL: define {{.*}} @last.region.0.tile(
; CHECK-NOT: label %guarded
; CHECK: {{^}}}
define spir_kernel void @last(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %last, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  %is.last = icmp eq i32 %x, %last
  %begin = mul nsw i32 %x, 16
  %fewer = add nsw i32 %begin, 16
  %end = select i1 %is.last, i32 %n, i32 %fewer
  br label %loop

loop:
  %i = phi i32 [ %begin, %entry ], [ %i.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %added, %body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %done

body:
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %added = fadd float %sum, %v
  %i.next = add nsw i32 %i, 1
  br label %loop

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum, ptr addrspace(1) %po
  ret void
}

; What no loop begins or ends with is not assumed.
; CHECK-LABEL: define {{.*}} @place.region.0.tile(
; CHECK-NOT: label %guarded
; CHECK: {{^}}}
define spir_kernel void @place(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %items) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  %is.inside = icmp slt i32 %x, %items
  %twice = mul nsw i32 %x, 2
  %index = select i1 %is.inside, i32 0, i32 %twice
  %wide = sext i32 %index to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %v, ptr addrspace(1) %po
  ret void
}

; Two numbers of all work-items, of which an equation chooses one for a single place: the other one is usual.
; CHECK-LABEL: define {{.*}} @except.region.0.tile(
; CHECK-NOT: select
; CHECK: icmp eq <4 x i32>
; CHECK: br i1 {{%.*}}, label %guarded
; CHECK: store <4 x float>
; CHECK: {{^}}}
define spir_kernel void @except(ptr addrspace(1) %out, i32 %last, i32 %taps, i32 %fewer) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  %is.last = icmp eq i32 %x, %last
  %end = select i1 %is.last, i32 %fewer, i32 %taps
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %done

body:
  %wide = zext nneg i32 %i to i64
  %index = add nsw i64 %gid, %wide
  %p = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float 1.0, ptr addrspace(1) %p
  %i.next = add nsw i32 %i, 1
  br label %loop

done:
  ret void
}

; Of a remainder every other place solves the equation: neither number is usual.
; CHECK-LABEL: define {{.*}} @odd.region.0.tile(
; CHECK: select <4 x i1> {{%.*}}, <4 x i32>
; CHECK: {{^}}}
define spir_kernel void @odd(ptr addrspace(1) %out, i32 %last, i32 %taps, i32 %fewer) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  %bit = and i32 %x, 1
  %is.last = icmp eq i32 %bit, 0
  %end = select i1 %is.last, i32 %fewer, i32 %taps
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %end
  br i1 %more, label %body, label %done

body:
  %wide = zext nneg i32 %i to i64
  %index = add nsw i64 %gid, %wide
  %p = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float 1.0, ptr addrspace(1) %p
  %i.next = add nsw i32 %i, 1
  br label %loop

done:
  ret void
}

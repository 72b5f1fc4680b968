; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A condition in a short loop that only fails at the edge of the data: a tile of packets is made for it to hold in each iteration,
; which is asked at the start; the single packet has masks.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @filter.region.0.packet(
; CHECK: call <4 x float> @llvm.masked.load.v4f32.p1(
; CHECK-LABEL: define {{.*}} @filter.region.0.tile(
; CHECK: [[LIMIT:%.*]] = freeze i64 15
; CHECK: [[INSIDE:%.*]] = icmp sge i64 {{%.*}}, [[LIMIT]]
; CHECK: br i1 [[INSIDE]], label %guarded
; CHECK-NOT: masked
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK-NOT: masked
; CHECK: {{^}}}
define spir_kernel void @filter(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %next ]
  %inside = icmp sge i64 %gid, %i
  br i1 %inside, label %then, label %next

then:
  %index = sub nsw i64 %gid, %i
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %added = fadd float %sum, %v
  br label %next

next:
  %sum.next = phi float [ %sum, %loop ], [ %added, %then ]
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}

; In a loop of any number of iterations the condition may be what ends it.
; CHECK-LABEL: define {{.*}} @triangle.region.0.tile(
; CHECK: masked
; CHECK: {{^}}}
define spir_kernel void @triangle(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %next ]
  %inside = icmp sge i64 %gid, %i
  br i1 %inside, label %then, label %next

then:
  %index = sub nsw i64 %gid, %i
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %added = fadd float %sum, %v
  br label %next

next:
  %sum.next = phi float [ %sum, %loop ], [ %added, %then ]
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}

; A condition on data may seldom hold.
; CHECK-LABEL: define {{.*}} @data.region.0.tile(
; CHECK-NOT: reduce.and
; CHECK: call i1 @llvm.vector.reduce.or.v4i1(
; CHECK: {{^}}}
define spir_kernel void @data(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %gid
  %v = load i32, ptr addrspace(1) %p
  %large = icmp ugt i32 %v, 100
  br i1 %large, label %then, label %done

then:
  %w = call spir_func i32 @rare(i32 %v)
  br label %done

done:
  %r = phi i32 [ %v, %entry ], [ %w, %then ]
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %r, ptr addrspace(1) %po
  ret void
}

define internal spir_func i32 @rare(i32 %x) noinline memory(none) {
  %y = mul i32 %x, %x
  %z = udiv i32 %y, 7
  ret i32 %z
}

; What is done where ids lie within limits is made for blocks; what else is done, for single packets only.
; CHECK-LABEL: define {{.*}} @border.region.0.packet(
; CHECK: masked
; CHECK-LABEL: define {{.*}} @border.region.0.tile(
; CHECK: br i1 {{%.*}}, label %guarded
; CHECK-NOT: masked
; CHECK-NOT: store <{{.*}}zeroinitializer
; CHECK: {{^}}}
define spir_kernel void @border(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %columns, i32 %rows) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %gid.y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %x = trunc i64 %gid to i32
  %y = trunc i64 %gid.y to i32
  %left = icmp sgt i32 %x, 0
  %right = icmp slt i32 %x, %columns
  %across = select i1 %left, i1 %right, i1 false
  %below = icmp slt i32 %y, %rows
  %inside = select i1 %across, i1 %below, i1 false
  br i1 %inside, label %inner, label %outer

inner:
  br label %loop

loop:
  %i = phi i64 [ 0, %inner ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %inner ], [ %added, %loop ]
  %index = add i64 %gid, %i
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %added = fadd float %sum, %v
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %done

outer:
  br label %done

done:
  %result = phi float [ %added, %loop ], [ 0.0, %outer ]
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %result, ptr addrspace(1) %q
  ret void
}

; One comparison may part the work-items in halves.
; CHECK-LABEL: define {{.*}} @halves.region.0.tile(
; CHECK: masked
; CHECK: {{^}}}
define spir_kernel void @halves(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %gid, %n
  br i1 %inside, label %inner, label %outer

inner:
  br label %loop

loop:
  %i = phi i64 [ 0, %inner ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %inner ], [ %added, %loop ]
  %index = add i64 %gid, %i
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %added = fadd float %sum, %v
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %done

outer:
  %u = load float, ptr addrspace(1) %in
  br label %done

done:
  %result = phi float [ %added, %loop ], [ %u, %outer ]
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %result, ptr addrspace(1) %q
  ret void
}

; A tile of a matrix, of which a loop around the barrier counts the first column: where it lies within the matrix, nothing has a mask.
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
; CHECK-LABEL: define {{.*}} @tiles.region.1.packet(
; CHECK: masked
; CHECK-LABEL: define {{.*}} @tiles.region.1.tile(
; CHECK: label %guarded, label %nothing.done
; CHECK-NOT: masked
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK-NOT: masked
; CHECK: {{^}}}
define spir_kernel void @tiles(ptr addrspace(1) %in, ptr addrspace(3) %tile, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %lid = call spir_func i64 @_Z12get_local_idj(i32 0)
  br label %head

head:
  %first = phi i64 [ 0, %entry ], [ %next, %copied ]
  %more = icmp ult i64 %first, %n
  br i1 %more, label %body, label %done

body:
  %column = add i64 %lid, %first
  %inside = icmp ult i64 %column, %n
  br i1 %inside, label %read, label %copied

read:
  %p = getelementptr float, ptr addrspace(1) %in, i64 %column
  %v = load float, ptr addrspace(1) %p
  br label %copied

copied:
  %value = phi float [ %v, %read ], [ 0.0, %body ]
  %q = getelementptr float, ptr addrspace(3) %tile, i64 %lid
  store float %value, ptr addrspace(3) %q
  %next = add i64 %first, 16
  call spir_func void @_Z7barrierj(i32 1)
  br label %head

done:
  %r = getelementptr float, ptr addrspace(3) %tile, i64 0
  %w = load float, ptr addrspace(3) %r
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %w, ptr addrspace(1) %po
  ret void
}

; Sums of unsigned numbers do not wrap below 0 where that is asked first, nor above: ids have bits to spare.
; CHECK-LABEL: define {{.*}} @around.region.0.tile(
; CHECK: guarded
; CHECK-NOT: masked.load
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK-NOT: masked.load
; CHECK: {{^}}}
define spir_kernel void @around(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %g = trunc i64 %gid to i32
  br label %loop

loop:
  %d = phi i32 [ 0, %entry ], [ %d.next, %next ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %next ]
  %x = add i32 %g, %d
  %above = icmp uge i32 %x, 4
  %y = add i32 %x, -4
  %below = icmp ult i32 %y, %n
  %inside = and i1 %above, %below
  br i1 %inside, label %then, label %next

then:
  %index = zext i32 %y to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %added = fadd float %sum, %v
  br label %next

next:
  %sum.next = phi float [ %sum, %loop ], [ %added, %then ]
  %d.next = add i32 %d, 2
  %more = icmp ult i32 %d.next, 10
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}

; RUN: --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; What one work-item after the other waits for in its loop is the longest chain of results from one iteration to the next. Four sums of
; what lies anywhere wait for little, and the next work-items begin meanwhile; four products, one of the other, leave the processor idle.
; How long a loop waits for memory that it changes is not known.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: = !{!"kernel sums, region 0: one work-item after the other, because it costs packets
; CHECK: = !{!"kernel chain, region 0: packets of 8 work-items
; CHECK: = !{!"kernel counts, region 0: packets of 8 work-items
define spir_kernel void @sums(ptr addrspace(1) %sizes, ptr addrspace(1) %index, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %size.place = getelementptr i32, ptr addrspace(1) %sizes, i64 %id
  %size = load i32, ptr addrspace(1) %size.place
  %own = shl i64 %id, 4
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %body ]
  %s1 = phi float [ 0.0, %entry ], [ %t1, %body ]
  %s2 = phi float [ 0.0, %entry ], [ %t2, %body ]
  %s3 = phi float [ 0.0, %entry ], [ %t3, %body ]
  %more = icmp slt i32 %i, %size
  br i1 %more, label %body, label %done

body:
  %wide = zext i32 %i to i64
  %place = add i64 %own, %wide
  %from = getelementptr i32, ptr addrspace(1) %index, i64 %place
  %row = load i32, ptr addrspace(1) %from
  %first = sext i32 %row to i64
  %start = shl i64 %first, 2
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 %start
  %v0 = load float, ptr addrspace(1) %p0
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 4
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %v2 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 12
  %v3 = load float, ptr addrspace(1) %p3
  %t0 = fadd float %s0, %v0
  %t1 = fadd float %s1, %v1
  %t2 = fadd float %s2, %v2
  %t3 = fadd float %s3, %v3
  %i.next = add nuw nsw i32 %i, 1
  br label %head

done:
  %a = fadd float %s0, %s1
  %b = fadd float %s2, %s3
  %result = fmul float %a, %b
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %result, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @chain(ptr addrspace(1) %sizes, ptr addrspace(1) %index, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %size.place = getelementptr i32, ptr addrspace(1) %sizes, i64 %id
  %size = load i32, ptr addrspace(1) %size.place
  %own = shl i64 %id, 4
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s0 = phi float [ 0.0, %entry ], [ %t3, %body ]
  %more = icmp slt i32 %i, %size
  br i1 %more, label %body, label %done

body:
  %wide = zext i32 %i to i64
  %place = add i64 %own, %wide
  %from = getelementptr i32, ptr addrspace(1) %index, i64 %place
  %row = load i32, ptr addrspace(1) %from
  %first = sext i32 %row to i64
  %start = shl i64 %first, 2
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 %start
  %v0 = load float, ptr addrspace(1) %p0
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 4
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 8
  %v2 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 12
  %v3 = load float, ptr addrspace(1) %p3
  %m0 = fmul float %s0, %v0
  %t0 = fadd float %m0, %v1
  %t1 = fmul float %t0, %v2
  %t2 = fadd float %t1, %v3
  %t3 = fmul float %t2, %t2
  %i.next = add nuw nsw i32 %i, 1
  br label %head

done:
  %result = fadd float %s0, 1.0
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %result, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @counts(ptr addrspace(1) %in, ptr addrspace(1) %bins, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done

body:
  %wide = zext i32 %i to i64
  %row = shl i64 %wide, 12
  %place = add i64 %row, %id
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %place
  %value = load i32, ptr addrspace(1) %from
  %bin = getelementptr i32, ptr addrspace(1) %bins, i32 %value
  %old = atomicrmw add ptr addrspace(1) %bin, i32 1 monotonic
  %i.next = add nuw nsw i32 %i, 1
  br label %head

done:
  ret void
}

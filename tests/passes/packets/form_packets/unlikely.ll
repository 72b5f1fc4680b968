; RUN: --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; What hardly any work-item runs, by the weights of the branch before it, costs neither way anything; otherwise half of the work-items and
; most packets do. Nor does the processor take such a branch for another one, in loops as well as outside.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: = !{!"kernel unlikely, region 0: packets of 8 work-items; {{.*}}costs packets {{[1-4][.][0-9]+}}, LLVM's loops {{.*}}, one by one {{[1-4][.][0-9]+}}
; CHECK: = !{!"kernel unknown, region 0: {{.*}}costs packets {{[0-9]{2}[.]}}{{.*}}one by one {{[0-9]{2}[.]}}
; CHECK: = !{!"kernel unlikely_in_loop, region 0: {{.*}}one by one 3{{[0-9][.]}}
; CHECK: = !{!"kernel unknown_in_loop, region 0: {{.*}}one by one 9{{[0-9][.]}}
define spir_kernel void @unlikely(ptr addrspace(1) %in, ptr addrspace(1) %table, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr float, ptr addrspace(1) %in, i64 %id
  %x = load float, ptr addrspace(1) %from
  %is.large = fcmp ogt float %x, 1.0e6
  br i1 %is.large, label %large, label %done, !prof !0

large:
  %bits = bitcast float %x to i32
  %i0 = and i32 %bits, 255
  %w0 = zext i32 %i0 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %table, i64 %w0
  %b0 = load i32, ptr addrspace(1) %p0
  %i1 = and i32 %b0, 255
  %w1 = zext i32 %i1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %table, i64 %w1
  %b1 = load i32, ptr addrspace(1) %p1
  %i2 = and i32 %b1, 255
  %w2 = zext i32 %i2 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %table, i64 %w2
  %b2 = load i32, ptr addrspace(1) %p2
  %i3 = and i32 %b2, 255
  %w3 = zext i32 %i3 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %table, i64 %w3
  %b3 = load i32, ptr addrspace(1) %p3
  %i4 = and i32 %b3, 255
  %w4 = zext i32 %i4 to i64
  %p4 = getelementptr i32, ptr addrspace(1) %table, i64 %w4
  %b4 = load i32, ptr addrspace(1) %p4
  %i5 = and i32 %b4, 255
  %w5 = zext i32 %i5 to i64
  %p5 = getelementptr i32, ptr addrspace(1) %table, i64 %w5
  %b5 = load i32, ptr addrspace(1) %p5
  %i6 = and i32 %b5, 255
  %w6 = zext i32 %i6 to i64
  %p6 = getelementptr i32, ptr addrspace(1) %table, i64 %w6
  %b6 = load i32, ptr addrspace(1) %p6
  %i7 = and i32 %b6, 255
  %w7 = zext i32 %i7 to i64
  %p7 = getelementptr i32, ptr addrspace(1) %table, i64 %w7
  %b7 = load i32, ptr addrspace(1) %p7
  %y = bitcast i32 %b7 to float
  br label %done

done:
  %result = phi float [ %x, %entry ], [ %y, %large ]
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %result, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @unknown(ptr addrspace(1) %in, ptr addrspace(1) %table, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr float, ptr addrspace(1) %in, i64 %id
  %x = load float, ptr addrspace(1) %from
  %is.large = fcmp ogt float %x, 1.0e6
  br i1 %is.large, label %large, label %done

large:
  %bits = bitcast float %x to i32
  %i0 = and i32 %bits, 255
  %w0 = zext i32 %i0 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %table, i64 %w0
  %b0 = load i32, ptr addrspace(1) %p0
  %i1 = and i32 %b0, 255
  %w1 = zext i32 %i1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %table, i64 %w1
  %b1 = load i32, ptr addrspace(1) %p1
  %i2 = and i32 %b1, 255
  %w2 = zext i32 %i2 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %table, i64 %w2
  %b2 = load i32, ptr addrspace(1) %p2
  %i3 = and i32 %b2, 255
  %w3 = zext i32 %i3 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %table, i64 %w3
  %b3 = load i32, ptr addrspace(1) %p3
  %i4 = and i32 %b3, 255
  %w4 = zext i32 %i4 to i64
  %p4 = getelementptr i32, ptr addrspace(1) %table, i64 %w4
  %b4 = load i32, ptr addrspace(1) %p4
  %i5 = and i32 %b4, 255
  %w5 = zext i32 %i5 to i64
  %p5 = getelementptr i32, ptr addrspace(1) %table, i64 %w5
  %b5 = load i32, ptr addrspace(1) %p5
  %i6 = and i32 %b5, 255
  %w6 = zext i32 %i6 to i64
  %p6 = getelementptr i32, ptr addrspace(1) %table, i64 %w6
  %b6 = load i32, ptr addrspace(1) %p6
  %i7 = and i32 %b6, 255
  %w7 = zext i32 %i7 to i64
  %p7 = getelementptr i32, ptr addrspace(1) %table, i64 %w7
  %b7 = load i32, ptr addrspace(1) %p7
  %y = bitcast i32 %b7 to float
  br label %done

done:
  %result = phi float [ %x, %entry ], [ %y, %large ]
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %result, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @unlikely_in_loop(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi i32 [ 0, %entry ], [ %more, %next ]
  %wide = zext i32 %i to i64
  %row = shl i64 %wide, 12
  %place = add i64 %row, %id
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %place
  %value = load i32, ptr addrspace(1) %from
  %is.odd = icmp sgt i32 %value, 1000
  br i1 %is.odd, label %store, label %next, !prof !0

store:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %place
  store i32 %i, ptr addrspace(1) %to
  br label %next

next:
  %more = add i32 %sum, %value
  %i.next = add nuw nsw i32 %i, 1
  %goes.on = icmp ult i32 %i.next, %n
  br i1 %goes.on, label %head, label %done

done:
  %last = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %more, ptr addrspace(1) %last
  ret void
}

define spir_kernel void @unknown_in_loop(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %sum = phi i32 [ 0, %entry ], [ %more, %next ]
  %wide = zext i32 %i to i64
  %row = shl i64 %wide, 12
  %place = add i64 %row, %id
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %place
  %value = load i32, ptr addrspace(1) %from
  %is.odd = icmp sgt i32 %value, 1000
  br i1 %is.odd, label %store, label %next

store:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %place
  store i32 %i, ptr addrspace(1) %to
  br label %next

next:
  %more = add i32 %sum, %value
  %i.next = add nuw nsw i32 %i, 1
  %goes.on = icmp ult i32 %i.next, %n
  br i1 %goes.on, label %head, label %done

done:
  %last = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %more, ptr addrspace(1) %last
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 2000}

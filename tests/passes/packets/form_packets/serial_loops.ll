; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; What LLVM makes of the loops of one work-item has a price, too. Where it walks along a row and sums up integers, in any order, that
; is vectors; where it sums up vectors of the program, others go on while it waits for one sum. Packets would read a row of each of
; their work-items at once. Sums of floating-point numbers have their order, so that one work-item waits for each addition.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: = !{!"kernel integers, region 0: one work-item after the other, because it costs packets
; CHECK: = !{!"kernel vectors, region 0: one work-item after the other, because it costs packets
; CHECK: = !{!"kernel floats, region 0: packets of 16 work-items, in tiles
define spir_kernel void @integers(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = shl i64 %id, 8
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %place = add i64 %row, %k
  %from = getelementptr i8, ptr addrspace(1) %in, i64 %place
  %value = load i8, ptr addrspace(1) %from
  %wide = sext i8 %value to i32
  %more = add i32 %sum, %wide
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ult i64 %next, 256
  br i1 %goes.on, label %loop, label %done

done:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %more, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @vectors(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = shl i64 %id, 6
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %place = add i64 %row, %k
  %from = getelementptr <8 x float>, ptr addrspace(1) %in, i64 %place
  %value = load <8 x float>, ptr addrspace(1) %from
  %more = fadd <8 x float> %sum, %value
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ult i64 %next, 64
  br i1 %goes.on, label %loop, label %done

done:
  %to = getelementptr <8 x float>, ptr addrspace(1) %out, i64 %id
  store <8 x float> %more, ptr addrspace(1) %to
  ret void
}

define spir_kernel void @floats(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = shl i64 %id, 8
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = add i64 %row, %k
  %from = getelementptr float, ptr addrspace(1) %in, i64 %place
  %value = load float, ptr addrspace(1) %from
  %more = fadd float %sum, %value
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp ult i64 %next, 256
  br i1 %goes.on, label %loop, label %done

done:
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %more, ptr addrspace(1) %to
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4;packets=8
; Packets calculate with integers of any width up to 64 bits, as LLVM makes them of numbers of which it knows the range. What lies in memory
; in other widths than those of types of OpenCL C keeps its kernel out of packets.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @narrow.region.0.packet(
; CHECK: [[WIDE:%.*]] = zext <8 x i32> {{%.*}} to <8 x i33>
; CHECK: [[LESS:%.*]] = add nsw <8 x i33> [[WIDE]], splat (i33 -1)
; CHECK: mul <8 x i33> [[LESS]], [[WIDE]]
define spir_kernel void @narrow(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %iterations) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %gid
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %added, %loop ]
  %v = load i32, ptr addrspace(1) %p
  %x = add i32 %v, %i
  %wide = zext i32 %x to i33
  %less = add i33 %wide, -1
  %square = mul i33 %wide, %less
  %half = lshr i33 %square, 1
  %part = trunc i33 %half to i32
  %added = add i32 %sum, %part
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %iterations
  br i1 %more, label %loop, label %done

done:
  store i32 %added, ptr addrspace(1) %po
  ret void
}

; CHECK-NOT: @inMemory.region.0.packet
define spir_kernel void @inMemory(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %iterations) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %gid
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %added, %loop ]
  %v = load i24, ptr addrspace(1) %p
  %x = zext i24 %v to i32
  %square = mul i32 %x, %x
  %part = xor i32 %square, %i
  %added = add i32 %sum, %part
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %iterations
  br i1 %more, label %loop, label %done

done:
  store i32 %added, ptr addrspace(1) %po
  ret void
}

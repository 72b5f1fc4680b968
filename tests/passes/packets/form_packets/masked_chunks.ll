; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,group-shapes,isolate-barriers,form-regions,form-packets
; Every second row reads the row above, and nobody what lies before the first one: local memory begins there, and nothing is read before it.

@tile = internal addrspace(3) global [16 x i32] undef

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent

; CHECK-LABEL: define {{.*}} @above.one_packet.region.0.packet(
; CHECK: [[FIRST:%.*]] = getelementptr i8, ptr addrspace(3) {{%.*}}, i64 -48
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr i8, ptr addrspace(3) [[FIRST]], i64 64
; CHECK-NEXT: [[READ:%.*]] = load <16 x i32>, ptr addrspace(3) [[SECOND]]
; CHECK-NEXT: shufflevector <16 x i32> poison, <16 x i32> [[READ]]
; CHECK: ret i32
define spir_kernel void @above(ptr addrspace(1) %in, ptr addrspace(1) %out) "uniform-work-group-size"="true" !reqd_work_group_size !0 {
entry:
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  %row = shl i64 %y, 2
  %place = add i64 %row, %x
  %first = shl i64 %g, 4
  %index = add i64 %first, %place
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %index
  %v = load i32, ptr addrspace(1) %p
  %t = getelementptr i32, ptr addrspace(3) @tile, i64 %place
  store i32 %v, ptr addrspace(3) %t
  call spir_func void @_Z7barrierj(i32 1)
  %odd = and i64 %y, 1
  %reads = icmp ne i64 %odd, 0
  br i1 %reads, label %read, label %done

read:
  %before = add i64 %place, -4
  %b = getelementptr i32, ptr addrspace(3) @tile, i64 %before
  %w = load i32, ptr addrspace(3) %b
  br label %done

done:
  %r = phi i32 [ %v, %entry ], [ %w, %read ]
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %index
  store i32 %r, ptr addrspace(1) %q
  ret void
}

!0 = !{i32 4, i32 4, i32 1}

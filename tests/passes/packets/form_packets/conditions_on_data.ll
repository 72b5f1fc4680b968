; RUN: --target=x86_64;cpu=x86-64-v3 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; A branch by what was read is mispredicted for some of the work-items that run one after the other; one by ids is not. Bytes behind a
; mask, for which the processor has no instruction, are read and written at once where all are on.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: = !{!"kernel read, region 0: packets of {{.*}}costs packets {{[0-9.]+}}, {{.*}}one by one 1[[BRANCH:[0-9]\.[0-9]+]]"}
; CHECK: = !{!"kernel ids, region 0: {{.*}}one by one {{[0-9]\.[0-9]+}}
define spir_kernel void @read(ptr addrspace(1) %conditions, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pc = getelementptr i32, ptr addrspace(1) %conditions, i64 %id
  %c = load i32, ptr addrspace(1) %pc
  %holds = icmp ne i32 %c, 0
  br i1 %holds, label %change, label %end

change:
  %pa = getelementptr i8, ptr addrspace(1) %in, i64 %id
  %a = load i8, ptr addrspace(1) %pa
  %b = mul i8 %a, 3
  %pb = getelementptr i8, ptr addrspace(1) %out, i64 %id
  store i8 %b, ptr addrspace(1) %pb
  br label %end

end:
  ret void
}

define spir_kernel void @ids(ptr addrspace(1) %conditions, ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %limit) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pc = getelementptr i32, ptr addrspace(1) %conditions, i64 %id
  %c = load i32, ptr addrspace(1) %pc
  %holds = icmp ult i64 %id, %limit
  br i1 %holds, label %change, label %end

change:
  %pa = getelementptr i8, ptr addrspace(1) %in, i64 %id
  %a = load i8, ptr addrspace(1) %pa
  %pb = getelementptr i8, ptr addrspace(1) %out, i64 %id
  %d = trunc i32 %c to i8
  %b = mul i8 %a, %d
  store i8 %b, ptr addrspace(1) %pb
  br label %end

end:
  ret void
}

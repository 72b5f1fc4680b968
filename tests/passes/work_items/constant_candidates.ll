; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(constant-candidates)
; Divisors, and limits of loops and factors of ids, are better constants; the latter while they are small.

declare spir_func i64 @_Z13get_global_idj(i32)

; The arguments 1 and 4, and 2 and 3: bits of the attributes' numbers.
; CHECK-LABEL: define void @found.item(
; CHECK-SAME: #[[FOUND:[0-9]+]]
define spir_kernel void @found(ptr addrspace(1) %p, i32 %width, i32 %count, i64 %stride, i8 %d) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %index = mul i64 %gid, %stride
  %short = trunc i64 %gid to i32
  %column = urem i32 %short, %width
  %wide = sext i8 %d to i32
  %sum = add i32 %wide, 3
  %q = sdiv i32 %column, %sum
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %q, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %count
  br i1 %more, label %loop, label %done

done:
  %element = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store i8 0, ptr addrspace(1) %element
  ret void
}

; Packets may lie along any dimension, the factor of whose id is then their stride; a loop that begins at an id cannot be unrolled.
; CHECK-LABEL: define void @others.item(
; CHECK-SAME: #[[OTHERS:[0-9]+]]
define spir_kernel void @others(ptr addrspace(1) %p, i64 %pitch, i64 %count, float %f) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %row = mul i64 %y, %pitch
  br label %loop

loop:
  %i = phi i64 [ %x, %entry ], [ %next, %loop ]
  %index = add i64 %row, %i
  %element = getelementptr float, ptr addrspace(1) %p, i64 %index
  store float %f, ptr addrspace(1) %element
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %done

done:
  ret void
}

; CHECK: attributes #[[FOUND]] = {{.*}}"quern-divisor-arguments"="18"{{.*}}"quern-small-arguments"="12"
; CHECK: attributes #[[OTHERS]] = {{.*}}"quern-small-arguments"="2"

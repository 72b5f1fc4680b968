; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,flat-dimensions,isolate-barriers,form-regions,form-packets
; Work-items of a packet that walk along rows of 8 KB use the same set of the first cache, which cannot keep a line for each of
; them. Rows that are a line longer lie in sets of their own.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: = !{!"kernel together, region 0: packets of 16 {{.*}}; costs packets 2{{[0-9][0-9][.]}}
; CHECK: = !{!"kernel apart, region 0: packets of 16 {{.*}}; costs packets 1{{[0-9][0-9][.]}}
define spir_kernel void @together(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %row = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = call spir_func i64 @_Z13get_global_idj(i32 1)
  %start = mul i64 %row, 8192
  %r = getelementptr i8, ptr addrspace(1) %a, i64 %start
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 1.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %r, i64 %k
  %v = load float, ptr addrspace(1) %p
  %d1 = fdiv float %v, %sum
  %d2 = fdiv float %d1, %v
  %d3 = fdiv float %sum, %d2
  %sum.next = fadd float %d3, %v
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %place = getelementptr float, ptr addrspace(1) %out, i64 %column
  %mine = getelementptr i8, ptr addrspace(1) %place, i64 %start
  store float %sum.next, ptr addrspace(1) %mine
  ret void
}

define spir_kernel void @apart(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %row = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = call spir_func i64 @_Z13get_global_idj(i32 1)
  %start = mul i64 %row, 8256
  %r = getelementptr i8, ptr addrspace(1) %a, i64 %start
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 1.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %r, i64 %k
  %v = load float, ptr addrspace(1) %p
  %d1 = fdiv float %v, %sum
  %d2 = fdiv float %d1, %v
  %d3 = fdiv float %sum, %d2
  %sum.next = fadd float %d3, %v
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  %place = getelementptr float, ptr addrspace(1) %out, i64 %column
  %mine = getelementptr i8, ptr addrspace(1) %place, i64 %start
  store float %sum.next, ptr addrspace(1) %mine
  ret void
}

; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse),function(unroll-array-loops)
; An element whose address is made in a loop and used behind it is an element all the same: the address goes through a phi there.

declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define {{.*}} @behind.item(
; CHECK-NOT: alloca
; CHECK: {{^}}}
define spir_kernel void @behind(ptr addrspace(1) %p, i32 %n) {
entry:
  %sums = alloca [2 x float]
  br label %zero

zero:
  %i = phi i64 [ 0, %entry ], [ %i.next, %zero ]
  %place = getelementptr float, ptr %sums, i64 %i
  store float 0.0, ptr %place
  %i.next = add nuw nsw i64 %i, 1
  %more.zeros = icmp ult i64 %i.next, 2
  br i1 %more.zeros, label %zero, label %loop

loop:
  %k = phi i32 [ 0, %zero ], [ %k.next, %loop ]
  %second = getelementptr i8, ptr %sums, i64 4
  %v = load float, ptr %second
  %doubled = fadd float %v, 1.0
  store float %doubled, ptr %second
  call spir_func void @_Z7barrierj(i32 1)
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  %last = load float, ptr %second
  store float %last, ptr addrspace(1) %p
  ret void
}

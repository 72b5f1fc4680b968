; RUN: --passes=function(loop-simplify,lcssa,loop(indvars,nvptx-eager-unrolling,loop-unroll-full),simplifycfg) --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; A loop of 100 iterations is unrolled as a whole, so that its array is values; one of 200 iterations is not.

; CHECK-LABEL: define {{.*}}@short(
; CHECK-NOT: br i1
; CHECK: ret void
define ptx_kernel void @short(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 1, ptr addrspace(1) %p
  store volatile i32 2, ptr addrspace(1) %p
  store volatile i32 3, ptr addrspace(1) %p
  store volatile i32 4, ptr addrspace(1) %p
  store volatile i32 5, ptr addrspace(1) %p
  store volatile i32 6, ptr addrspace(1) %p
  store volatile i32 7, ptr addrspace(1) %p
  store volatile i32 8, ptr addrspace(1) %p
  store volatile i32 9, ptr addrspace(1) %p
  store volatile i32 10, ptr addrspace(1) %p
  store volatile i32 11, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define {{.*}}@long(
; CHECK: br i1
; CHECK: ret void
define ptx_kernel void @long(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 1, ptr addrspace(1) %p
  store volatile i32 2, ptr addrspace(1) %p
  store volatile i32 3, ptr addrspace(1) %p
  store volatile i32 4, ptr addrspace(1) %p
  store volatile i32 5, ptr addrspace(1) %p
  store volatile i32 6, ptr addrspace(1) %p
  store volatile i32 7, ptr addrspace(1) %p
  store volatile i32 8, ptr addrspace(1) %p
  store volatile i32 9, ptr addrspace(1) %p
  store volatile i32 10, ptr addrspace(1) %p
  store volatile i32 11, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 200
  br i1 %more, label %loop, label %done
done:
  ret void
}

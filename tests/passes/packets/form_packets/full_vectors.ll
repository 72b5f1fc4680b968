; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4
; A loop over vectors of the program that fill registers runs for one work-item at a time; one over smaller vectors in packets.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-NOT: @full{{.*}}.packet
define spir_kernel void @full(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi <16 x float> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %p = getelementptr <16 x float>, ptr addrspace(1) %in, i64 %k
  %v = load <16 x float>, ptr addrspace(1) %p
  %product = fmul <16 x float> %v, %v
  %sum.next = fadd <16 x float> %sum, %product
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr <16 x float>, ptr addrspace(1) %out, i64 %gid
  store <16 x float> %sum.next, ptr addrspace(1) %po
  ret void
}

; CHECK: define {{.*}} @half{{.*}}.packet
define spir_kernel void @half(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %p = getelementptr <8 x float>, ptr addrspace(1) %in, i64 %k
  %v = load <8 x float>, ptr addrspace(1) %p
  %product = fmul <8 x float> %v, %v
  %sum.next = fadd <8 x float> %sum, %product
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr <8 x float>, ptr addrspace(1) %out, i64 %gid
  store <8 x float> %sum.next, ptr addrspace(1) %po
  ret void
}

; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v4
; Of vectors of the program that fill registers a packet has two, so that sums wait less for each other; of smaller ones as many as fill
; one. Where their elements are needed one by one, full vectors run for one work-item at a time.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK: define {{.*}} @full{{.*}}.packet(
; CHECK: define {{.*}} @full{{.*}}.tile(
; CHECK: fmul <32 x float>
; CHECK: fmul <32 x float>
define spir_kernel void @full(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi <16 x float> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %row = mul i64 %k, %n
  %place = add i64 %row, %gid
  %p = getelementptr <16 x float>, ptr addrspace(1) %in, i64 %place
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

; CHECK-NOT: @functions{{.*}}.packet
define spir_kernel void @functions(ptr addrspace(1) %data) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr <16 x float>, ptr addrspace(1) %data, i64 %gid
  %v = load <16 x float>, ptr addrspace(1) %p
  %w = call <16 x float> @f(<16 x float> %v)
  store <16 x float> %w, ptr addrspace(1) %p
  ret void
}

define <16 x float> @f(<16 x float> %v) {
  %product = fmul <16 x float> %v, %v
  %large = fcmp ogt <16 x float> %v, splat (float 1000.0)
  %any = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %large)
  br i1 %any, label %rare, label %done
rare:
  %quotient = fdiv <16 x float> %product, splat (float 3.0)
  br label %done
done:
  %w = phi <16 x float> [ %product, %0 ], [ %quotient, %rare ]
  ret <16 x float> %w
}

declare i1 @llvm.vector.reduce.or.v16i1(<16 x i1>)

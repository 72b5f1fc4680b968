; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; An unsigned index that may wrap within a packet is computed for each work-item.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}} @wrap.region.0.packet(
; CHECK: zext <4 x i32> {{.*}} to <4 x i64>
; CHECK: call <4 x i32> @llvm.masked.gather.v4i32.v4p1(
; CHECK: store <4 x i32>
define spir_kernel void @wrap(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %same, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %gid to i32
  br label %head

head:
  %k = phi i32 [ 0, %entry ], [ %k.next, %head ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %head ]
  %below = sub i32 %x, %k
  %wide = zext i32 %below to i64
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %wide
  %v = load i32, ptr addrspace(1) %pi
  %s = load i32, ptr addrspace(1) %same
  %both = mul i32 %v, %s
  %sum.next = add i32 %sum, %both
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %head, label %done

done:
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %sum.next, ptr addrspace(1) %po
  ret void
}

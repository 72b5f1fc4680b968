; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Where each work-item walks along a row of its own, the loop makes several steps at once, for which every row is read once.

declare spir_func i64 @_Z13get_global_idj(i32)

; Iterations that are left over have a loop of their own.
; CHECK-LABEL: define {{.*}} @rows.region.0.tile(
; CHECK-COUNT-4: load <8 x float>, ptr addrspace(1)
; CHECK-COUNT-8: fadd <4 x float>
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK: fadd <4 x float>
define spir_kernel void @rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %gid, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %index = add i64 %row, %k
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}

; A known number of iterations that eight divides leaves none over.
; CHECK-LABEL: define {{.*}} @rows_of_64.region.0.tile(
; CHECK-COUNT-4: load <8 x float>, ptr addrspace(1)
; CHECK-COUNT-8: fadd <4 x float>
; CHECK-NOT: gather
; CHECK: {{^}}}
define spir_kernel void @rows_of_64(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = shl i64 %gid, 6
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %index = add i64 %row, %k
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, 64
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}


; Neighbours' elements are read together already.
; CHECK-LABEL: define {{.*}} @neighbours.region.0.packet(
; CHECK-NOT: load <8 x float>
; CHECK: {{^}}}
define spir_kernel void @neighbours(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = add i64 %gid, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %index = add i64 %row, %k
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %v = load float, ptr addrspace(1) %p
  %sum.next = fadd float %sum, %v
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum.next, ptr addrspace(1) %po
  ret void
}


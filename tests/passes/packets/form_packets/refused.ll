; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; No packets where work-items may wait for each other, where a loop does not gain from them, and without loops.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-NOT: .packet
define spir_kernel void @spins(ptr addrspace(1) %lock) {
entry:
  br label %loop

loop:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 seq_cst
  %taken = icmp eq i32 %old, 0
  br i1 %taken, label %done, label %loop

done:
  store atomic i32 0, ptr addrspace(1) %lock release, align 4
  ret void
}

define spir_kernel void @apart(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %gid, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %index = add i64 %row, %k
  %square = mul i64 %index, %index
  %p = getelementptr float, ptr addrspace(1) %in, i64 %square
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

define spir_kernel void @straight(ptr addrspace(1) %p) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr float, ptr addrspace(1) %p, i64 %gid
  %v = load float, ptr addrspace(1) %place
  %w = fadd float %v, 1.0
  store float %w, ptr addrspace(1) %place
  ret void
}

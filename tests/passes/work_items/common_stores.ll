; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse,common-stores,instcombine,simplifycfg)
; Stores to one place at the end of two ways become one behind both.

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @choice.item(
; CHECK: inner:
; CHECK-NOT: store
; CHECK: done:
; CHECK: [[VALUE:%.*]] = phi float [ %v, %inner ], [ 7.0{{.*}}, %entry ]
; CHECK: [[PLACE:%.*]] = getelementptr inbounds {{.*}}, ptr addrspace(1) %out, i64 %{{.*}}
; CHECK: store float [[VALUE]], ptr addrspace(1) [[PLACE]], align 4
; CHECK-NEXT: ret void
define spir_kernel void @choice(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %id = trunc i64 %gid to i32
  %inside = icmp slt i32 %id, %n
  br i1 %inside, label %inner, label %outer

inner:
  %i = sext i32 %id to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %v = load volatile float, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  store float %v, ptr addrspace(1) %q, align 4
  br label %done

outer:
  %j = sext i32 %id to i64
  %r = getelementptr inbounds float, ptr addrspace(1) %out, i64 %j
  store float 7.0, ptr addrspace(1) %r, align 8
  br label %done

done:
  ret void
}

; Values that are loaded would be loaded from a place that is one of two.
; CHECK-LABEL: define void @loaded.item(
; CHECK: store float
; CHECK: store float
define spir_kernel void @loaded(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp slt i64 %gid, %n
  br i1 %inside, label %first, label %second

first:
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %gid
  %va = load float, ptr addrspace(1) %pa, align 4
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %gid
  store float %va, ptr addrspace(1) %q, align 4
  br label %done

second:
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %gid
  %vb = load float, ptr addrspace(1) %pb, align 4
  %r = getelementptr inbounds float, ptr addrspace(1) %out, i64 %gid
  store float %vb, ptr addrspace(1) %r, align 4
  br label %done

done:
  ret void
}

; Neighbours in each of two buffers would not be neighbours in both together; and what comes after a store stays there.
; CHECK-LABEL: define void @apart.item(
; CHECK: store float
; CHECK: store float
; CHECK: store float
; CHECK: store float
; CHECK: ret void
define spir_kernel void @apart(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp slt i64 %gid, %n
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %gid
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %gid
  br i1 %inside, label %first, label %second

first:
  store float 1.0, ptr addrspace(1) %pa, align 4
  br label %meet

second:
  store float 1.0, ptr addrspace(1) %pb, align 4
  br label %meet

meet:
  %far = icmp slt i64 %n, 7
  br i1 %far, label %third, label %fourth

third:
  store float 2.0, ptr addrspace(1) %pa, align 4
  br label %done

fourth:
  store float 3.0, ptr addrspace(1) %pa, align 4
  %read = load volatile float, ptr addrspace(1) %pb, align 4
  br label %done

done:
  ret void
}

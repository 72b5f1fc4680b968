; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets --target=x86_64;cpu=x86-64-v3;packets=4
; Accesses that lie next to each other in every work-item are made together.

declare spir_func i64 @_Z13get_global_idj(i32)

%point = type { float, float, float }

; Structures of three numbers, all of them read and written: three vectors of memory each.
; CHECK-LABEL: define {{.*}} @structures.region.0.tile(
; CHECK: [[A:%.*]] = load <4 x float>, ptr addrspace(1) %px
; CHECK: [[B:%.*]] = load <4 x float>, ptr addrspace(1)
; CHECK: [[C:%.*]] = load <4 x float>, ptr addrspace(1)
; CHECK: [[AB:%.*]] = shufflevector <4 x float> [[A]], <4 x float> [[B]], <4 x i32> <i32 0, i32 3, i32 6, i32 poison>
; CHECK: shufflevector <4 x float> [[AB]], <4 x float> [[C]], <4 x i32> <i32 0, i32 1, i32 2, i32 5>
; CHECK-COUNT-3: store <4 x float>
; CHECK-NOT: call{{.*}}masked
; CHECK: ret i32
define spir_kernel void @structures(ptr addrspace(1) %p, float %f) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr %point, ptr addrspace(1) %p, i64 %gid, i32 0
  %py = getelementptr %point, ptr addrspace(1) %p, i64 %gid, i32 1
  %pz = getelementptr %point, ptr addrspace(1) %p, i64 %gid, i32 2
  %x = load float, ptr addrspace(1) %px
  %y = load float, ptr addrspace(1) %py
  %z = load float, ptr addrspace(1) %pz
  %x1 = fadd float %x, %f
  %y1 = fmul float %y, %f
  %z1 = fsub float %z, %f
  store float %x1, ptr addrspace(1) %px
  store float %y1, ptr addrspace(1) %py
  store float %z1, ptr addrspace(1) %pz
  ret void
}

; One of three numbers: what lies behind the last work-item's is not read. It is written alone.
; CHECK-LABEL: define {{.*}} @one_of_three.region.0.tile(
; CHECK: [[LAST:%.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 24
; CHECK: load <4 x float>, ptr addrspace(1) [[LAST]]
; CHECK: call void @llvm.masked.scatter.v4f32
define spir_kernel void @one_of_three(ptr addrspace(1) %p, float %f) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr %point, ptr addrspace(1) %p, i64 %gid, i32 0
  %x = load float, ptr addrspace(1) %px
  %x1 = fadd float %x, %f
  store float %x1, ptr addrspace(1) %px
  ret void
}

; Two of three: what lies between is not written.
; CHECK-LABEL: define {{.*}} @two_of_three.region.0.packet(
; CHECK: call void @llvm.masked.store.v4f32.p1({{.*}}, <4 x i1> <i1 true, i1 true, i1 false, i1 true>)
; CHECK: call void @llvm.masked.store.v4f32.p1({{.*}}, <4 x i1> <i1 true, i1 false, i1 true, i1 true>)
; CHECK: call void @llvm.masked.store.v4f32.p1({{.*}}, <4 x i1> <i1 false, i1 true, i1 true, i1 false>)
define spir_kernel void @two_of_three(ptr addrspace(1) %p, float %f) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr %point, ptr addrspace(1) %p, i64 %gid, i32 0
  %py = getelementptr %point, ptr addrspace(1) %p, i64 %gid, i32 1
  store float %f, ptr addrspace(1) %px
  store float 1.0, ptr addrspace(1) %py
  ret void
}

; A vector of four elements at a place that varies: read as a row in each work-item.
; CHECK-LABEL: define {{.*}} @rows.region.0.tile(
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(1) %{{.*}}, align 4
; CHECK-NOT: gather
; CHECK: ret i32
define spir_kernel void @rows(ptr addrspace(1) %indices, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr i64, ptr addrspace(1) %indices, i64 %gid
  %i = load i64, ptr addrspace(1) %pi
  %pv = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %pv, align 16
  %sq = fmul <4 x float> %v, %v
  %sum = call reassoc float @llvm.vector.reduce.fadd.v4f32(float 0.0, <4 x float> %sq)
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum, ptr addrspace(1) %po
  ret void
}

; Downwards: the packet's lowest address is the last work-item's.
; CHECK-LABEL: define {{.*}} @downwards.region.0.tile(
; CHECK: [[PLACE:%.*]] = getelementptr i32, ptr addrspace(1) %{{.*}}, i64 -3
; CHECK: [[V:%.*]] = load <4 x i32>, ptr addrspace(1) [[PLACE]]
; CHECK: shufflevector <4 x i32> [[V]], <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
define spir_kernel void @downwards(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = sub i64 %n, %gid
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %v = load i32, ptr addrspace(1) %pi
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %v, ptr addrspace(1) %po
  ret void
}

; A store that may change what is read next keeps the loads apart.
; CHECK-LABEL: define {{.*}} @store_between.region.0.tile(
; CHECK: load <4 x float>
; CHECK: call void @llvm.masked.store
; CHECK: load <4 x float>
define spir_kernel void @store_between(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %twice = shl i64 %gid, 1
  %p0 = getelementptr float, ptr addrspace(1) %p, i64 %twice
  %p1 = getelementptr float, ptr addrspace(1) %p0, i64 1
  %q0 = getelementptr float, ptr addrspace(1) %q, i64 %twice
  %a = load float, ptr addrspace(1) %p0
  store float %a, ptr addrspace(1) %q0
  %b = load float, ptr addrspace(1) %p1
  %q1 = getelementptr float, ptr addrspace(1) %q0, i64 1
  store float %b, ptr addrspace(1) %q1
  ret void
}

; As an unrolled loop has them: what lies behind the next work-item's is another group.
; CHECK-LABEL: define {{.*}} @two_groups.region.0.tile(
; CHECK-NOT: gather
; CHECK-COUNT-4: load <4 x float>
; CHECK-NOT: gather
; CHECK: {{^}}}
define spir_kernel void @two_groups(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %twice = shl i64 %gid, 1
  %p0 = getelementptr float, ptr addrspace(1) %p, i64 %twice
  %p1 = getelementptr float, ptr addrspace(1) %p0, i64 1
  %far0 = getelementptr float, ptr addrspace(1) %p0, i64 4
  %far1 = getelementptr float, ptr addrspace(1) %p0, i64 5
  %a = load float, ptr addrspace(1) %p0
  %b = load float, ptr addrspace(1) %far0
  %c = load float, ptr addrspace(1) %p1
  %d = load float, ptr addrspace(1) %far1
  %ab = fadd float %a, %b
  %cd = fmul float %c, %d
  %sum = fsub float %ab, %cd
  %q = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %sum, ptr addrspace(1) %q
  ret void
}

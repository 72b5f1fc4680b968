; RUN: --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Where only the first or the last work-items of a row do anything, a function says which ones.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; The first s, and nobody where a condition that all have in common does not hold.
; CHECK: define {{.*}} @tree.region.1({{.*}} [[ATTRIBUTES:#[0-9]+]]
; CHECK-LABEL: define internal i64 @tree.region.1.active_range(
; CHECK: [[ON:%.*]] = icmp ne i64 %{{.*}}, 0
; CHECK: select i1 [[ON]], i64 %{{.*}}, i64 0
; CHECK: [[SOME:%.*]] = icmp ugt i64 [[S:%.*]], 0
; CHECK: [[ITEMS:%.*]] = select i1 [[SOME]], i64 %{{.*}}, i64 0
; CHECK: [[WRAPS:%.*]] = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 0,
; CHECK: shl i64 %{{.*}}, 32
; CHECK: ret i64
define spir_kernel void @tree(ptr addrspace(3) %tile, i64 %s, i64 %on) {
entry:
  %lid = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(3) %tile, i64 %lid
  store i32 1, ptr addrspace(3) %p
  call spir_func void @_Z7barrierj(i32 1)
  %runs = icmp ne i64 %on, 0
  br i1 %runs, label %first, label %done

first:
  %inside = icmp ult i64 %lid, %s
  br i1 %inside, label %then, label %done

then:
  %index = add i64 %lid, %s
  %q = getelementptr i32, ptr addrspace(3) %tile, i64 %index
  %a = load i32, ptr addrspace(3) %p
  %b = load i32, ptr addrspace(3) %q
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(3) %p
  br label %done

done:
  ret void
}

; What is frozen may be chosen again, differently, where it is copied.
; CHECK-NOT: @frozen{{.*}}.active_range(
define spir_kernel void @frozen(ptr addrspace(3) %tile, ptr addrspace(3) %sizes) {
entry:
  %lid = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(3) %tile, i64 %lid
  store i32 1, ptr addrspace(3) %p
  call spir_func void @_Z7barrierj(i32 1)
  %size = load i64, ptr addrspace(3) %sizes
  %chosen = freeze i64 %size
  %inside = icmp ult i64 %lid, %chosen
  br i1 %inside, label %then, label %done

then:
  store i32 2, ptr addrspace(3) %p
  br label %done

done:
  ret void
}

; Both sides do something, or nobody knows who does nothing.
; CHECK-NOT: .active_range(
define spir_kernel void @all(ptr addrspace(3) %tile, i64 %s, ptr addrspace(3) %flags) {
entry:
  %lid = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(3) %tile, i64 %lid
  store i32 1, ptr addrspace(3) %p
  call spir_func void @_Z7barrierj(i32 1)
  %inside = icmp ult i64 %lid, %s
  br i1 %inside, label %then, label %else

then:
  store i32 2, ptr addrspace(3) %p
  br label %join

else:
  store i32 3, ptr addrspace(3) %p
  br label %join

join:
  call spir_func void @_Z7barrierj(i32 1)
  %f = getelementptr i32, ptr addrspace(3) %flags, i64 %lid
  %flag = load i32, ptr addrspace(3) %f
  %set = icmp ne i32 %flag, 0
  br i1 %set, label %last, label %done

last:
  store i32 4, ptr addrspace(3) %p
  br label %done

done:
  ret void
}
; CHECK: attributes [[ATTRIBUTES]] = { {{.*}}"quern-active-range"="tree.region.1.active_range"

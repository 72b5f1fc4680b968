; RUN: --target=x86_64;cpu=x86-64;packets=4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; Private arrays: those with elements of one size have the elements of all work-items next to each other, others lie one after
; the other.

declare spir_func i64 @_Z13get_global_idj(i32)

; Filled in a loop over the elements, read at an index that is the same for all, and written at one that is not.
; CHECK-LABEL: define {{.*}} @counts.region.0.packet(
; CHECK: alloca [1024 x i8], align 16
; CHECK: [[FILL:%.*]] = mul i64 %{{.*}}, 16
; CHECK: [[ELEMENT:%.*]] = getelementptr i8, ptr %count{{.*}}, i64 [[FILL]]
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr align 4 [[ELEMENT]],
; CHECK: [[OWN:%.*]] = mul <4 x i64> %{{.*}}, splat (i64 16)
; CHECK: getelementptr i8, <4 x ptr> %{{.*}}, <4 x i64> [[OWN]]
; CHECK: call <4 x i32> @llvm.masked.gather.v4i32.v4p0(
; CHECK: call void @llvm.masked.scatter.v4i32.v4p0(
; CHECK: [[SAME:%.*]] = mul i64 %{{.*}}, 16
; CHECK: [[PLACE:%.*]] = getelementptr i8, ptr %count{{.*}}, i64 [[SAME]]
; CHECK: call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 [[PLACE]],
define spir_kernel void @counts(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %count = alloca [64 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %count, i8 0, i64 256, i1 false)
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %index = add i64 %gid, %k
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %index
  %v = load i32, ptr addrspace(1) %p
  %bin = and i32 %v, 63
  %wide = zext i32 %bin to i64
  %place = getelementptr [64 x i32], ptr %count, i64 0, i64 %wide
  %old = load i32, ptr %place
  %new = add i32 %old, 1
  store i32 %new, ptr %place
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  %same = getelementptr [64 x i32], ptr %count, i64 0, i64 %n
  %result = load i32, ptr %same
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %result, ptr addrspace(1) %po
  ret void
}

; Bytes and ints in one array: a work-item's 64 bytes stay together.
; CHECK-LABEL: define {{.*}} @mixed.region.0.packet(
; CHECK: alloca [256 x i8], align 64
; CHECK: getelementptr i8, ptr %bytes{{.*}}, <4 x i64> <i64 0, i64 64, i64 128, i64 192>
define spir_kernel void @mixed(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %bytes = alloca [64 x i8], align 4
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %index = add i64 %gid, %k
  %p = getelementptr i8, ptr addrspace(1) %in, i64 %index
  %v = load i8, ptr addrspace(1) %p
  %place = getelementptr i8, ptr %bytes, i64 %k
  store i8 %v, ptr %place
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  %low = and i64 %gid, 60
  %four = getelementptr i8, ptr %bytes, i64 %low
  %result = load i32, ptr %four
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %result, ptr addrspace(1) %po
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

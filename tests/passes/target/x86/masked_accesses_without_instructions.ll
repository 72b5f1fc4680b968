; RUN: --passes=masked-accesses --target=x86_64;cpu=x86-64-v3
; What the processor has no masked instruction for is an access per element, without branches.

declare <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)>, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v2i16.v2p0(<2 x i16>, <2 x ptr>, <2 x i1>)
declare <2 x i8> @llvm.masked.load.v2i8.p0(ptr captures(none), <2 x i1>, <2 x i8>)
declare void @llvm.masked.store.v2i16.p0(<2 x i16>, ptr captures(none), <2 x i1>)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr captures(none), <8 x i1>, <8 x i32>)

; CHECK-LABEL: define {{.*}} @gather(
; CHECK-NEXT: [[UNUSED:%.*]] = alloca i64, align 8
; CHECK-NEXT: [[OTHER:%.*]] = addrspacecast ptr [[UNUSED]] to ptr addrspace(1)
; CHECK: [[OTHERS:%.*]] = shufflevector
; CHECK: [[POINTERS:%.*]] = select <4 x i1> %m, <4 x ptr addrspace(1)> %p, <4 x ptr addrspace(1)> [[OTHERS]]
; CHECK: extractelement {{.*}} [[POINTERS]], i64 0
; CHECK-NEXT: load i32, {{.*}}, align 4
; CHECK-COUNT-3: load i32, {{.*}}, align 4
; CHECK: %v = select <4 x i1> %m, <4 x i32> {{%.*}}, <4 x i32> %other
; CHECK-NEXT: ret
define <4 x i32> @gather(<4 x ptr addrspace(1)> %p, <4 x i1> %m, <4 x i32> %other) {
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> %m, <4 x i32> %other)
  ret <4 x i32> %v
}

; CHECK-LABEL: define {{.*}} @scatter(
; CHECK: [[POINTERS:%.*]] = select <2 x i1> %m, <2 x ptr> %p
; CHECK: [[FIRST:%.*]] = extractelement <2 x ptr> [[POINTERS]], i64 0
; CHECK: [[VALUE:%.*]] = extractelement <2 x i16> %v, i64 0
; CHECK: store i16 [[VALUE]], ptr [[FIRST]], align 2
; CHECK: [[SECOND:%.*]] = extractelement <2 x ptr> [[POINTERS]], i64 1
; CHECK: store i16 {{%.*}}, ptr [[SECOND]], align 2
; CHECK-NEXT: ret
define void @scatter(<2 x i16> %v, <2 x ptr> %p, <2 x i1> %m) {
  call void @llvm.masked.scatter.v2i16.v2p0(<2 x i16> %v, <2 x ptr> align 2 %p, <2 x i1> %m)
  ret void
}

; Neighbours are read at once where one is on and all lie in a page, and else those that are on; they are written at once where all are
; on, and else each, what is off to memory of the function's own.
; CHECK-LABEL: define {{.*}} @neighbours(
; CHECK: [[WRITTEN:%.*]] = alloca i64
; CHECK: [[READ:%.*]] = alloca <2 x i8>
; CHECK: [[BITS:%.*]] = bitcast <2 x i1> %m to i2
; CHECK: [[SOME:%.*]] = icmp ne i2 [[BITS]], 0
; CHECK: [[NUMBER:%.*]] = ptrtoint ptr %p to i64
; CHECK: [[ADDRESS:%.*]] = freeze i64 [[NUMBER]]
; CHECK: [[PLACE:%.*]] = and i64 [[ADDRESS]], 4095
; CHECK: [[FITS:%.*]] = icmp ule i64 [[PLACE]], 4094
; CHECK: [[WHOLE:%.*]] = and i1 [[SOME]], [[FITS]]
; CHECK: br i1 [[WHOLE]], label %[[ALL:.*]], label %[[PARTS:.*]], !prof
; CHECK: [[ALL]]:
; CHECK-NEXT: [[TOGETHER:%.*]] = load <2 x i8>, ptr %p, align 1
; CHECK: [[PARTS]]:
; CHECK-NEXT: icmp ne i2 [[BITS]], 0
; CHECK: [[LEFT:%.*]] = phi i2 [ [[BITS]], %[[PARTS]] ], [ [[NEXT:%.*]], %element ]
; CHECK-NEXT: [[FIRST:%.*]] = call i2 @llvm.cttz.i2(i2 [[LEFT]], i1 true)
; CHECK-NEXT: [[INDEX:%.*]] = zext i2 [[FIRST]] to i64
; CHECK-NEXT: [[FROM:%.*]] = getelementptr i8, ptr %p, i64 [[INDEX]]
; CHECK-NEXT: [[BYTE:%.*]] = load i8, ptr [[FROM]], align 1
; CHECK-NEXT: [[TO:%.*]] = getelementptr i8, ptr [[READ]], i64 [[INDEX]]
; CHECK-NEXT: store i8 [[BYTE]], ptr [[TO]]
; CHECK: [[NEXT]] = and i2 [[LEFT]]
; CHECK: [[GATHERED:%.*]] = load <2 x i8>, ptr [[READ]]
; CHECK: phi <2 x i8> [ [[TOGETHER]], %[[ALL]] ], [ [[GATHERED]], %elements.done ]
; CHECK: call i1 @llvm.vector.reduce.and.v2i1(<2 x i1> %m)
; CHECK: store <2 x i16> {{%.*}}, ptr %q, align 8
; CHECK: insertelement {{.*}} ptr [[WRITTEN]]
; CHECK-COUNT-2: store i16 {{.*}}, align 2
define void @neighbours(ptr %p, ptr %q, <2 x i1> %m) {
  %v = call <2 x i8> @llvm.masked.load.v2i8.p0(ptr %p, <2 x i1> %m, <2 x i8> poison)
  %w = sext <2 x i8> %v to <2 x i16>
  call void @llvm.masked.store.v2i16.p0(<2 x i16> %w, ptr align 8 %q, <2 x i1> %m)
  ret void
}

; What is off has the value that the load is given for it. Aligned vectors lie in a page.
; CHECK-LABEL: define {{.*}} @others(
; CHECK-NOT: ptrtoint
; CHECK: [[LOADED:%.*]] = phi <2 x i8>
; CHECK-NEXT: %v = select <2 x i1> %m, <2 x i8> [[LOADED]], <2 x i8> %other
; CHECK-NEXT: ret <2 x i8> %v
define <2 x i8> @others(ptr %p, <2 x i1> %m, <2 x i8> %other) {
  %v = call <2 x i8> @llvm.masked.load.v2i8.p0(ptr align 2 %p, <2 x i1> %m, <2 x i8> %other)
  ret <2 x i8> %v
}

; CHECK-LABEL: define {{.*}} @legal(
; CHECK-NEXT: call <8 x i32> @llvm.masked.load
; CHECK-NEXT: ret
define <8 x i32> @legal(ptr %p, <8 x i1> %m) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %m, <8 x i32> poison)
  ret <8 x i32> %v
}

; What is known of a mask LLVM makes good use of.
; CHECK-LABEL: define {{.*}} @known(
; CHECK-NEXT: call <4 x i32> @llvm.masked.gather
; CHECK-NEXT: ret
define <4 x i32> @known(<4 x ptr addrspace(1)> %p) {
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %p, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x i32> poison)
  ret <4 x i32> %v
}

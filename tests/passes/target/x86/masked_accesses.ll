; RUN: --passes=masked-accesses --target=x86_64;cpu=x86-64-v4
; A masked store of one known element is a plain one; others stay.

declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr captures(none), <4 x i1>)

; CHECK-LABEL: define {{.*}} @one(
; CHECK: [[ELEMENT:%.*]] = extractelement <4 x i32> %narrow, i64 2
; CHECK: [[PLACE:%.*]] = getelementptr {{.*}}%p, i64 {{2|8}}
; CHECK: store i32 [[ELEMENT]], ptr [[PLACE]], align 8
define void @one(<4 x i64> %v, ptr %p) {
  %narrow = trunc <4 x i64> %v to <4 x i32>
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %narrow, ptr align 16 %p, <4 x i1> <i1 false, i1 false, i1 true, i1 false>)
  ret void
}

; CHECK-LABEL: define {{.*}} @two(
; CHECK: call void @llvm.masked.store
define void @two(<4 x i32> %v, ptr %p) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> <i1 false, i1 true, i1 true, i1 false>)
  ret void
}

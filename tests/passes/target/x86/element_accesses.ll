; RUN: --target=x86_64;cpu=znver4 --passes=element-accesses
; Elements that are as far apart as a number says which is known at run time are loaded one by one: each index follows from the one before,
; in the type in which it may wrap. So are they where a loop moves on all places. A gather from a list of places, and one with a mask, stay.
; Elements are stored in the same way.

; CHECK-LABEL: @rows(
; CHECK-NOT: masked.gather
; CHECK: [[FIRST:%.*]] = mul i32 %from, %pitch
; CHECK: [[PLACE:%.*]] = getelementptr float, ptr addrspace(1) %data, i64 {{%.*}}
; CHECK: [[E0:%.*]] = load float, ptr addrspace(1) [[PLACE]], align 4
; CHECK: [[V0:%.*]] = insertelement <4 x float> poison, float [[E0]], i64 0
; CHECK: [[SECOND:%.*]] = add i32 [[FIRST]], %pitch
; CHECK: [[WIDE:%.*]] = zext i32 [[SECOND]] to i64
; CHECK: getelementptr float, ptr addrspace(1) %data, i64 [[WIDE]]
; CHECK: add i32 [[SECOND]], %pitch
; CHECK: [[LAST:%.*]] = insertelement <4 x float> {{%.*}}, float {{%.*}}, i64 3
; CHECK: ret <4 x float> [[LAST]]
define <4 x float> @rows(ptr addrspace(1) %data, i32 %from, i32 %pitch) {
  %f = insertelement <4 x i32> poison, i32 %from, i64 0
  %froms = shufflevector <4 x i32> %f, <4 x i32> poison, <4 x i32> zeroinitializer
  %p = insertelement <4 x i32> poison, i32 %pitch, i64 0
  %pitches = shufflevector <4 x i32> %p, <4 x i32> poison, <4 x i32> zeroinitializer
  %rows = add <4 x i32> %froms, <i32 0, i32 1, i32 2, i32 3>
  %indices = mul <4 x i32> %rows, %pitches
  %wide = zext <4 x i32> %indices to <4 x i64>
  %places = getelementptr float, ptr addrspace(1) %data, <4 x i64> %wide
  %all = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %places, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %all
}

; CHECK-LABEL: @loop(
; CHECK: [[NOW:%[0-9]+]] = phi i64 [ 0, %entry ], [ [[LATER:%.*]], %loop ]
; CHECK: getelementptr double, ptr addrspace(1) {{%.*}}, i64 [[NOW]]
; CHECK: add i64 [[NOW]], %pitch
; CHECK: [[LATER]] = add i64 [[NOW]], %step
; CHECK-NOT: masked.gather
; CHECK: ret
define <2 x double> @loop(ptr addrspace(1) %data, i64 %pitch, i64 %step, i64 %n) {
entry:
  %p = insertelement <2 x i64> poison, i64 %pitch, i64 0
  %pitches = shufflevector <2 x i64> %p, <2 x i64> poison, <2 x i32> zeroinitializer
  %start = mul <2 x i64> %pitches, <i64 0, i64 1>
  %s = insertelement <2 x i64> poison, i64 %step, i64 0
  %steps = shufflevector <2 x i64> %s, <2 x i64> poison, <2 x i32> zeroinitializer
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %index = phi <2 x i64> [ %start, %entry ], [ %index.next, %loop ]
  %sum = phi <2 x double> [ zeroinitializer, %entry ], [ %sum.next, %loop ]
  %firsts = getelementptr double, ptr addrspace(1) %data, <2 x i64> %index
  %places = getelementptr i8, <2 x ptr addrspace(1)> %firsts, i64 32
  %two = call <2 x double> @llvm.masked.gather.v2f64.v2p1(<2 x ptr addrspace(1)> align 8 %places, <2 x i1> splat (i1 true), <2 x double> poison)
  %sum.next = fadd <2 x double> %sum, %two
  %index.next = add <2 x i64> %index, %steps
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %loop, label %done

done:
  ret <2 x double> %sum.next
}

; CHECK-LABEL: @list(
; CHECK: call <4 x float> @llvm.masked.gather
define <4 x float> @list(ptr addrspace(1) %data, <4 x i32> %list) {
  %wide = sext <4 x i32> %list to <4 x i64>
  %places = getelementptr float, ptr addrspace(1) %data, <4 x i64> %wide
  %all = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %places, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %all
}

; CHECK-LABEL: @some(
; CHECK: call <4 x float> @llvm.masked.gather
define <4 x float> @some(ptr addrspace(1) %data, <4 x i1> %mask) {
  %places = getelementptr float, ptr addrspace(1) %data, <4 x i64> <i64 0, i64 9, i64 18, i64 27>
  %some = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %places, <4 x i1> %mask, <4 x float> poison)
  ret <4 x float> %some
}

; CHECK-LABEL: @column(
; CHECK-NOT: masked.scatter
; CHECK: [[LOW:%.*]] = extractelement <2 x i32> %values, i64 0
; CHECK: store i32 [[LOW]], ptr addrspace(1) {{%.*}}, align 4
; CHECK: [[NEXT:%.*]] = add i64 %from, %pitch
; CHECK: [[PLACE:%.*]] = getelementptr i32, ptr addrspace(1) %data, i64 [[NEXT]]
; CHECK: [[HIGH:%.*]] = extractelement <2 x i32> %values, i64 1
; CHECK: store i32 [[HIGH]], ptr addrspace(1) [[PLACE]], align 4
; CHECK: ret
define void @column(ptr addrspace(1) %data, i64 %from, i64 %pitch, <2 x i32> %values) {
  %p = insertelement <2 x i64> poison, i64 %pitch, i64 0
  %pitches = shufflevector <2 x i64> %p, <2 x i64> poison, <2 x i32> zeroinitializer
  %f = insertelement <2 x i64> poison, i64 %from, i64 0
  %froms = shufflevector <2 x i64> %f, <2 x i64> poison, <2 x i32> zeroinitializer
  %apart = mul <2 x i64> %pitches, <i64 0, i64 1>
  %index = add <2 x i64> %apart, %froms
  %places = getelementptr i32, ptr addrspace(1) %data, <2 x i64> %index
  call void @llvm.masked.scatter.v2i32.v2p1(<2 x i32> %values, <2 x ptr addrspace(1)> align 4 %places, <2 x i1> splat (i1 true))
  ret void
}

; CHECK-LABEL: @scatter(
; CHECK: call void @llvm.masked.scatter
define void @scatter(<2 x ptr addrspace(1)> %places, <2 x i32> %values) {
  call void @llvm.masked.scatter.v2i32.v2p1(<2 x i32> %values, <2 x ptr addrspace(1)> align 4 %places, <2 x i1> splat (i1 true))
  ret void
}

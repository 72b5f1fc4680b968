; RUN: --passes=streaming-alignment --target=x86_64;cpu=x86-64-v4
; A vector that may lie anywhere goes past the caches if it turns out to be aligned. Its function ends with a fence.

; CHECK-LABEL: define {{.*}} @anywhere(
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr %p to i64
; CHECK: [[REST:%.*]] = and i64 [[ADDRESS]], 63
; CHECK: [[ALIGNED:%.*]] = icmp eq i64 [[REST]], 0
; CHECK: br i1 [[ALIGNED]], label %[[STREAM:.*]], label %[[STORE:[^,]*]]
; CHECK: [[STREAM]]:
; CHECK-NEXT: store <16 x float> %v, ptr %p, align 64, !nontemporal
; CHECK: [[STORE]]:
; CHECK-NEXT: store <16 x float> %v, ptr %p, align 4{{$}}
; CHECK: call void @llvm.x86.sse.sfence()
; CHECK-NEXT: ret void
define void @anywhere(<16 x float> %v, ptr %p) {
  store <16 x float> %v, ptr %p, align 4, !nontemporal !0
  ret void
}

; A pair of registers needs no more than one of them.
; CHECK-LABEL: define {{.*}} @aligned(
; CHECK-NOT: br
; CHECK: store <32 x float> %v, ptr %p, align 64, !nontemporal
; CHECK-NEXT: store <3 x float> %w, ptr %q, align 4, !nontemporal
; CHECK-NEXT: call void @llvm.x86.sse.sfence()
; CHECK-NEXT: ret void
define void @aligned(<32 x float> %v, ptr %p, <3 x float> %w, ptr %q) {
  store <32 x float> %v, ptr %p, align 64, !nontemporal !0
  store <3 x float> %w, ptr %q, align 4, !nontemporal !0
  ret void
}

; CHECK-LABEL: define {{.*}} @usual(
; CHECK-NOT: sfence
; CHECK: ret void
define void @usual(<16 x float> %v, ptr %p) {
  store <16 x float> %v, ptr %p, align 4
  ret void
}

!0 = !{i32 1}

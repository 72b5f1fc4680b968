; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse,uniform-comparisons)
; What differs for each work-item on both sides alike is taken out of comparisons, where the rest is the same for all.

declare spir_func i64 @_Z13get_global_idj(i32)

; for (i = x - r; i <= x + r; ++i)
; CHECK-LABEL: define {{.*}} @neighbours.item(
; CHECK: [[START:%.*]] = sext i32 {{%.*}} to i64
; CHECK: [[N:%iteration]] = phi i64 [ 0, {{%.*}} ], [ [[NEXT:%.*]], {{%.*}} ]
; CHECK-NOT: phi
; CHECK: [[WHOLE:%.*]] = add nsw i64 [[START]], [[N]]
; CHECK: [[R:%.*]] = sext i32 %r to i64
; CHECK: [[TWICE:%.*]] = mul nsw i64 [[R]], 2
; CHECK: icmp sle i64 [[N]], [[TWICE]]
; CHECK: getelementptr float, ptr addrspace(1) %p, i64 [[WHOLE]]
; CHECK: [[NEXT]] = add nuw nsw i64 [[N]], 1
define spir_kernel void @neighbours(ptr addrspace(1) %p, i32 %r) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %first = sub nsw i32 %x, %r
  br label %loop

loop:
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  %last = add nsw i32 %x, %r
  %more = icmp sle i32 %i, %last
  br i1 %more, label %body, label %done

body:
  %wide = sext i32 %i to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %wide
  store volatile float 1.0, ptr addrspace(1) %at
  %next = add nsw i32 %i, 1
  br label %loop

done:
  ret void
}

; Sums that may wrap are no whole numbers, and unsigned comparisons are of others.
; CHECK-LABEL: define {{.*}} @wrapping.item(
; CHECK-NOT: %iteration
; CHECK: icmp slt i32 %i, %last
define spir_kernel void @wrapping(ptr addrspace(1) %p, i32 %r) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  br label %loop

loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, 1
  %wide = sext i32 %i to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %wide
  store volatile float 1.0, ptr addrspace(1) %at
  %last = add i32 %x, %r
  %more = icmp slt i32 %i, %last
  br i1 %more, label %loop, label %done

done:
  ret void
}

; CHECK-LABEL: define {{.*}} @unsigned.item(
; CHECK-NOT: %iteration
; CHECK: icmp ult i32 %i, %last
define spir_kernel void @unsigned(ptr addrspace(1) %p, i32 %r) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  br label %loop

loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, 1
  %wide = sext i32 %i to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %wide
  store volatile float 1.0, ptr addrspace(1) %at
  %last = add nsw i32 %x, %r
  %more = icmp ult i32 %i, %last
  br i1 %more, label %loop, label %done

done:
  ret void
}

; What is left must be the same for all: here it is another element for each.
; CHECK-LABEL: define {{.*}} @other.item(
; CHECK-NOT: %iteration
; CHECK: icmp slt i32 %i, %last
define spir_kernel void @other(ptr addrspace(1) %p, ptr addrspace(1) %ends) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %place = getelementptr i32, ptr addrspace(1) %ends, i64 %id
  %r = load i32, ptr addrspace(1) %place
  br label %loop

loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, 1
  %wide = sext i32 %i to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %wide
  store volatile float 1.0, ptr addrspace(1) %at
  %last = add nsw i32 %x, %r
  %more = icmp slt i32 %i, %last
  br i1 %more, label %loop, label %done

done:
  ret void
}

; A comparison may be an operand of another one that comes before it in the function.
; CHECK-LABEL: define {{.*}} @nested.item(
; CHECK-NOT: icmp sgt
; CHECK: [[R:%.*]] = sext i32 %r to i64
; CHECK: icmp slt i64 0, [[R]]
; CHECK-NOT: icmp sgt
; CHECK: ret void
define spir_kernel void @nested(ptr addrspace(1) %p, i32 %r) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  br label %later

loop:
  %sum = add nsw i32 %x, %bit
  %end = add nsw i32 %sum, %r
  %more = icmp slt i32 %sum, %end
  store volatile float 1.0, ptr addrspace(1) %p
  br i1 %more, label %loop, label %done

later:
  %odd = icmp sgt i32 %x, %r
  %bit = zext i1 %odd to i32
  br label %loop

done:
  ret void
}

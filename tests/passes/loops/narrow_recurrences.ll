; RUN: --passes=narrow-recurrences,loop-vectorize
; Of two numbers of one loop that may wrap, the narrow one wraps sooner. LLVM's test for the wide one must not stand for it.

target triple = "x86_64-unknown-linux-gnu"

; Six bits, and 32 in which 64 times y is added.
; CHECK-LABEL: define {{.*}}@rotated_rows(
; CHECK-NOT: load <
; CHECK: freeze
; CHECK-NOT: load <
; CHECK: ret void
define void @rotated_rows(ptr noalias %p, ptr noalias %sums) #0 {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %row.end ]
  %y32 = trunc i64 %y to i32
  %row = shl nuw nsw i32 %y32, 6
  br label %columns
columns:
  %i = phi i32 [ 0, %rows ], [ %i.next, %columns ]
  %sum = phi i32 [ 0, %rows ], [ %sum.next, %columns ]
  %x = add nuw nsw i32 %i, %y32
  %column = and i32 %x, 63
  %index = or disjoint i32 %column, %row
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr %p, i64 %wide
  %value = load i32, ptr %place
  %sum.next = add i32 %sum, %value
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 64
  br i1 %more, label %columns, label %row.end
row.end:
  %result = getelementptr inbounds i32, ptr %sums, i64 %y
  store i32 %sum.next, ptr %result
  %y.next = add nuw nsw i64 %y, 1
  %more.rows = icmp ult i64 %y.next, 16
  br i1 %more.rows, label %rows, label %end
end:
  ret void
}

; One width: tested before the loop, and read as neighbours.
; CHECK-LABEL: define {{.*}}@rotated_row(
; CHECK: vector.scevcheck:
; CHECK: load <
; CHECK-NOT: freeze
; CHECK: ret i32
define i32 @rotated_row(ptr noalias %p, i32 %y) #0 {
entry:
  br label %columns
columns:
  %i = phi i32 [ 0, %entry ], [ %i.next, %columns ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %columns ]
  %x = add nuw nsw i32 %i, %y
  %column = and i32 %x, 63
  %wide = zext nneg i32 %column to i64
  %place = getelementptr inbounds i32, ptr %p, i64 %wide
  %value = load i32, ptr %place
  %sum.next = add i32 %sum, %value
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 64
  br i1 %more, label %columns, label %end
end:
  ret i32 %sum.next
}

attributes #0 = { "target-cpu"="x86-64-v3" }

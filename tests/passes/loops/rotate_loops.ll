; RUN: --steps=optimize --baseline
; A loop that tests before each iteration tests once before the first and then at each end; so does the one within it.

; CHECK-LABEL: define {{.*}}@nest(
; CHECK-NEXT: entry:
; CHECK-NEXT: [[SOME:%.*]] = icmp ult i32 0, %n
; CHECK-NEXT: br i1 [[SOME]], label %{{.*}}, label %done
; CHECK: begin:
; CHECK: store volatile i32 2,
; CHECK-NEXT: br i1 %{{.*}}, label %body, label %end
; CHECK: body:
; CHECK: store volatile i32 1,
; CHECK: br i1 %more, label %body, label %end
; CHECK: end:
; CHECK: br i1 %some, label %begin, label %done
define void @nest(ptr %p, i32 %n, i32 %m) {
entry:
  br label %rows
rows:
  %row = phi i32 [ 0, %entry ], [ %nextRow, %end ]
  %some = icmp ult i32 %row, %n
  br i1 %some, label %begin, label %done
begin:
  store volatile i32 2, ptr %p
  br label %columns
columns:
  %column = phi i32 [ 0, %begin ], [ %nextColumn, %body ]
  %more = icmp ult i32 %column, %m
  br i1 %more, label %body, label %end
body:
  store volatile i32 1, ptr %p
  %nextColumn = add i32 %column, 1
  br label %columns
end:
  %nextRow = add i32 %row, 1
  br label %rows
done:
  ret void
}

; A long test is not copied.
; CHECK-LABEL: define {{.*}}@long_test(
; CHECK-COUNT-20: load volatile
; CHECK-NOT: load volatile
; CHECK: ret void
define void @long_test(ptr %p) {
entry:
  br label %head
head:
  %x0 = load volatile i32, ptr %p
  %x1 = load volatile i32, ptr %p
  %x2 = load volatile i32, ptr %p
  %x3 = load volatile i32, ptr %p
  %x4 = load volatile i32, ptr %p
  %x5 = load volatile i32, ptr %p
  %x6 = load volatile i32, ptr %p
  %x7 = load volatile i32, ptr %p
  %x8 = load volatile i32, ptr %p
  %x9 = load volatile i32, ptr %p
  %x10 = load volatile i32, ptr %p
  %x11 = load volatile i32, ptr %p
  %x12 = load volatile i32, ptr %p
  %x13 = load volatile i32, ptr %p
  %x14 = load volatile i32, ptr %p
  %x15 = load volatile i32, ptr %p
  %x16 = load volatile i32, ptr %p
  %x17 = load volatile i32, ptr %p
  %x18 = load volatile i32, ptr %p
  %x19 = load volatile i32, ptr %p
  %more = icmp ult i32 %x0, %x19
  br i1 %more, label %body, label %done
body:
  store volatile i32 1, ptr %p
  br label %head
done:
  ret void
}

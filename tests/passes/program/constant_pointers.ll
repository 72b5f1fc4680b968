; RUN: --steps=prepare-kernels,work-item-bodies,clean-up
; Pointers of the generic address space that are made of null and other constants alone, of which others are made.

; Null on all ways: known to be, so that the pointer behind the loop has the other one's address space.
; CHECK-LABEL: define {{.*}} @joins.item(
; CHECK-NOT: ptr addrspace(4) %
; CHECK: store i32 2, ptr addrspace(1)
; CHECK: {{^}}}
define spir_kernel void @joins(ptr addrspace(1) %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %i.next, %latch ]
  %p = phi ptr addrspace(4) [ null, %entry ], [ %q, %latch ]
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = load volatile i32, ptr addrspace(1) %at
  %c = icmp ne i32 %v, 0
  br i1 %c, label %zero, label %latch
zero:
  br label %latch
latch:
  %q = phi ptr addrspace(4) [ undef, %zero ], [ %p, %loop ]
  %i.next = add i32 %i, -1
  %more = icmp ne i32 %i.next, 0
  br i1 %more, label %loop, label %done
done:
  %use = icmp ult i32 %v, 7
  br i1 %use, label %set, label %end
set:
  %place = getelementptr i32, ptr addrspace(1) %out, i64 1
  %generic = addrspacecast ptr addrspace(1) %place to ptr addrspace(4)
  br label %end
end:
  %r = phi ptr addrspace(4) [ %generic, %set ], [ %q, %done ]
  %there = icmp ne ptr addrspace(4) %r, null
  br i1 %there, label %store, label %exit
store:
  store i32 2, ptr addrspace(4) %r
  br label %exit
exit:
  ret void
}

; Moved on from null: an address of any space.
; CHECK-LABEL: define {{.*}} @walks.item(
; CHECK: phi ptr addrspace(4) [ null,
; CHECK: store i8 2, ptr addrspace(4)
; CHECK: {{^}}}
define spir_kernel void @walks(ptr addrspace(1) %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi ptr addrspace(4) [ null, %entry ], [ %q, %loop ]
  %at = getelementptr i8, ptr addrspace(1) %out, i32 %i
  %v = load volatile i8, ptr addrspace(1) %at
  %c = icmp ne i8 %v, 0
  %step = getelementptr i8, ptr addrspace(4) %p, i64 1
  %q = select i1 %c, ptr addrspace(4) %step, ptr addrspace(4) %p
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %use = icmp ult i8 %v, 7
  br i1 %use, label %set, label %end
set:
  %place = getelementptr i8, ptr addrspace(1) %out, i64 1
  %generic = addrspacecast ptr addrspace(1) %place to ptr addrspace(4)
  br label %end
end:
  %r = phi ptr addrspace(4) [ %generic, %set ], [ %q, %done ]
  %there = icmp ne ptr addrspace(4) %r, null
  br i1 %there, label %store, label %exit
store:
  store i8 2, ptr addrspace(4) %r
  br label %exit
exit:
  ret void
}

; Chosen among constants, and converted to a number and back.
; CHECK-LABEL: define {{.*}} @choices.item(
; CHECK: store i8 2, ptr addrspace(4)
; CHECK: {{^}}}
define spir_kernel void @choices(ptr addrspace(1) %out, i1 %a, i1 %b) {
entry:
  %p = select i1 %a, ptr addrspace(4) inttoptr (i64 64 to ptr addrspace(4)), ptr addrspace(4) null
  %number = ptrtoint ptr addrspace(4) %p to i64
  %q = inttoptr i64 %number to ptr addrspace(4)
  %generic = addrspacecast ptr addrspace(1) %out to ptr addrspace(4)
  %r = select i1 %b, ptr addrspace(4) %q, ptr addrspace(4) %generic
  store i8 2, ptr addrspace(4) %r
  ret void
}

; Undefined in one place and null in another: nothing prevents the other's address space.
; CHECK-LABEL: define {{.*}} @undefined.item(
; CHECK-NOT: ptr addrspace(4) %
; CHECK: store i8 2, ptr addrspace(1)
; CHECK: {{^}}}
define spir_kernel void @undefined(ptr addrspace(1) %out, i1 %a, i1 %b) {
entry:
  %p = select i1 %a, ptr addrspace(4) undef, ptr addrspace(4) null
  %generic = addrspacecast ptr addrspace(1) %out to ptr addrspace(4)
  %r = select i1 %b, ptr addrspace(4) %p, ptr addrspace(4) %generic
  store i8 2, ptr addrspace(4) %r
  ret void
}

; One null among real pointers keeps them what they are.
; CHECK-LABEL: define {{.*}} @optional.item(
; CHECK-NOT: ptr addrspace(4) %
; CHECK: store i8 2, ptr addrspace(1)
; CHECK: {{^}}}
define spir_kernel void @optional(ptr addrspace(1) %out, i1 %a) {
entry:
  %generic = addrspacecast ptr addrspace(1) %out to ptr addrspace(4)
  %r = select i1 %a, ptr addrspace(4) null, ptr addrspace(4) %generic
  store i8 2, ptr addrspace(4) %r
  ret void
}

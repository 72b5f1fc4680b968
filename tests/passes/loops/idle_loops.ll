; RUN: --passes=prepare-kernels,work-item-bodies,function(sroa<modify-cfg>,early-cse,instcombine,simplifycfg,sroa<modify-cfg>,early-cse),function(idle-loops)
; Loops that only count are gone; their counters have their last values at once.

declare spir_func void @_Z7barrierj(i32)

; Passes 28 by and wraps, 3.7e18 times five further: still it ends.
; CHECK-LABEL: define {{.*}} @wraps.item(
; CHECK-NOT: phi
; CHECK: store i64 28, ptr addrspace(1) %out
; CHECK: {{^}}}
define spir_kernel void @wraps(ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %n = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ne i64 %n, 28
  br i1 %more, label %body, label %done
body:
  %next = add i64 %n, 5
  br label %loop
done:
  store i64 %n, ptr addrspace(1) %out
  ret void
}

; Never reaches 27: who waits for it waits for ever.
; CHECK-LABEL: define {{.*}} @never.item(
; CHECK-COUNT-2: br label %loop
; CHECK: {{^}}}
define spir_kernel void @never(ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %n = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %n, 6
  %more = icmp ne i64 %next, 27
  br i1 %more, label %loop, label %done
done:
  store i64 %next, ptr addrspace(1) %out
  ret void
}

; The counter and another number are in private memory whose address is known elsewhere.
; CHECK-LABEL: define {{.*}} @in_memory.item(
; CHECK-NOT: phi
; CHECK: store i64 28, ptr %
; CHECK: load volatile
; CHECK: {{^}}}
define spir_kernel void @in_memory(ptr addrspace(1) %out) {
entry:
  %state = alloca { i64, i32, ptr }
  %other = getelementptr i8, ptr %state, i64 8
  %self = getelementptr i8, ptr %state, i64 16
  store i32 7, ptr %other
  store volatile ptr %state, ptr %self
  store i64 0, ptr %state
  br label %loop
loop:
  %n = load i64, ptr %state
  %next = add i64 %n, 5
  store i64 %next, ptr %state
  %o = load i32, ptr %other
  %o.next = add i32 %o, 2
  store i32 %o.next, ptr %other
  %more = icmp ne i64 %next, 28
  br i1 %more, label %loop, label %done
done:
  %again = load volatile ptr, ptr %self
  %v = load i64, ptr %again
  store i64 %v, ptr addrspace(1) %out
  ret void
}

; A nest, of which the inner loop goes first.
; CHECK-LABEL: define {{.*}} @nest.item(
; CHECK-NOT: phi
; CHECK: {{^}}}
define spir_kernel void @nest(ptr addrspace(1) %out, i32 %limit) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %after ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add nuw i32 %j, 3
  %j.more = icmp ult i32 %j.next, %limit
  br i1 %j.more, label %inner, label %after
after:
  %i.next = add nuw i32 %i, 1
  %i.more = icmp ult i32 %i.next, 1000000
  br i1 %i.more, label %outer, label %done
done:
  store i32 %i.next, ptr addrspace(1) %out
  ret void
}

; What it computes is no counter, or it has an effect.
; CHECK-LABEL: define {{.*}} @computes.item(
; CHECK: phi float
; CHECK: {{^}}}
define spir_kernel void @computes(ptr addrspace(1) %out, float %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %y = phi float [ %x, %entry ], [ %y.next, %loop ]
  %y.next = fmul float %y, %x
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %y.next, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}} @meets.item(
; CHECK: phi i32
; CHECK: call {{.*}}barrier
; CHECK: {{^}}}
define spir_kernel void @meets(ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  call spir_func void @_Z7barrierj(i32 1)
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, 8
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Memory that may be the same in part is no place to keep in a value.
; CHECK-LABEL: define {{.*}} @overlapping.item(
; CHECK: phi i32
; CHECK: store i8
; CHECK: {{^}}}
define spir_kernel void @overlapping(ptr addrspace(1) %out) {
entry:
  %v = alloca i32
  %high = getelementptr i8, ptr %v, i64 3
  store volatile i32 1, ptr %v
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store i8 1, ptr %high
  %n = load i32, ptr %v
  %m = mul i32 %n, 3
  store i32 %m, ptr %v
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, 8
  br i1 %more, label %loop, label %done
done:
  %r = load i32, ptr %v
  store i32 %r, ptr addrspace(1) %out
  ret void
}

; C++ for OpenCL: a loop without effects may be taken to end.
; CHECK-LABEL: define {{.*}} @progresses.item(
; CHECK-NOT: phi
; CHECK: {{^}}}
define spir_kernel void @progresses(i32 %n) mustprogress {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %i.next, %loop ]
  %half = mul i32 %i, 2654435761
  %i.next = xor i32 %half, 77
  %more = icmp ne i32 %i.next, 1
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The bits that are set, of a number from which each iteration takes the lowest one.
; CHECK-LABEL: define {{.*}} @set_bits.item(
; CHECK-NOT: phi
; CHECK: [[BITS:%.*]] = call i64 @llvm.ctpop.i64(i64 %x)
; CHECK-NOT: phi
; CHECK: mul {{.*}}, 3
; CHECK: store i32 {{%.*}}, ptr addrspace(1) %out
; CHECK: {{^}}}
define spir_kernel void @set_bits(ptr addrspace(1) %out, i64 %x) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 7, %entry ], [ %n.next, %body ]
  %left = phi i64 [ %x, %entry ], [ %next, %body ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %exit, label %body
body:
  %n.next = add i32 %n, 3
  %less = add i64 %left, -1
  %next = and i64 %less, %left
  br label %loop
exit:
  store i32 %n, ptr addrspace(1) %out
  ret void
}

; Those up to the highest one; where the test comes behind, a 0 takes one step, too.
; CHECK-LABEL: define {{.*}} @shifts.item(
; CHECK-NOT: phi
; CHECK: call i32 @llvm.ctlz.i32(i32 %x, i1 false)
; CHECK: call i64 @llvm.umax.i64(i64 {{%.*}}, i64 1)
; CHECK-NOT: phi
; CHECK: store i32 0, ptr addrspace(1) %out
; CHECK: {{^}}}
define spir_kernel void @shifts(ptr addrspace(1) %out, i32 %x) {
entry:
  br label %loop
loop:
  %n = phi i64 [ 0, %entry ], [ %n.next, %loop ]
  %left = phi i32 [ %x, %entry ], [ %next, %loop ]
  %n.next = add i64 %n, 1
  %next = lshr i32 %left, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %exit
exit:
  store i32 %next, ptr addrspace(1) %out
  %other = getelementptr i64, ptr addrspace(1) %out, i64 1
  store i64 %n.next, ptr addrspace(1) %other
  ret void
}

; What else is made of the bits is no count, and a number with its sign never becomes 0.
; CHECK-LABEL: define {{.*}} @collects.item(
; CHECK-NOT: @llvm.ctpop
; CHECK: phi i32
; CHECK-LABEL: define {{.*}} @keeps_sign.item(
; CHECK: phi i32
define spir_kernel void @collects(ptr addrspace(1) %out, i32 %x) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n.next, %body ]
  %left = phi i32 [ %x, %entry ], [ %next, %body ]
  %done = icmp eq i32 %left, 0
  br i1 %done, label %exit, label %body
body:
  %twice = mul i32 %n, 31
  %n.next = xor i32 %twice, %left
  %less = add i32 %left, -1
  %next = and i32 %less, %left
  br label %loop
exit:
  store i32 %n, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @keeps_sign(ptr addrspace(1) %out, i32 %x) {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n.next, %body ]
  %left = phi i32 [ %x, %entry ], [ %next, %body ]
  %done = icmp eq i32 %left, 0
  br i1 %done, label %exit, label %body
body:
  %n.next = add i32 %n, 1
  %next = ashr i32 %left, 1
  br label %loop
exit:
  store i32 %n, ptr addrspace(1) %out
  ret void
}

; C++ for OpenCL promises that this ends; how often it runs is known all the same.
; CHECK-LABEL: define {{.*}} @bits_of_progress.item(
; CHECK-NOT: phi
; CHECK: @llvm.ctpop.i32(i32 %x)
; CHECK: {{^}}}
define spir_kernel void @bits_of_progress(ptr addrspace(1) %out, i32 %x) mustprogress {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n.next, %body ]
  %left = phi i32 [ %x, %entry ], [ %next, %body ]
  %done = icmp eq i32 %left, 0
  br i1 %done, label %exit, label %body
body:
  %n.next = add i32 %n, 1
  %less = add i32 %left, -1
  %next = and i32 %less, %left
  br label %loop
exit:
  store i32 %n, ptr addrspace(1) %out
  ret void
}

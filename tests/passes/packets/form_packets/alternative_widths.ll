; RUN: --target=x86_64;cpu=x86-64-v4 --steps=prepare-kernels,work-item-bodies,clean-up,isolate-barriers,form-regions,form-packets
; The widths of packets, a bit for each, that the prices cannot tell from the one that was chosen. Packets of a loop that work-items leave
; at different times may gain nothing (1), and others may do with half the width (8). Rows that lie apart might be worth packets of 16
; after all, and those that are read and written there may be as fast without. What memory decides is as fast in any width. Each step of a
; walk waits for the one before, and bytes fill a fourth of a register: packets of two registers may be faster (32). That
; columns of memory are slower one work-item after the other (1) is held for sure, and compared in the end, as a quarter of the width is (4).

declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define i32 @escape.region.0(
; CHECK-SAME: #[[ESCAPE:[0-9]+]]
define spir_kernel void @escape(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %start = load float, ptr addrspace(1) %pi
  br label %head

head:
  %v = phi float [ %start, %entry ], [ %v.next, %body ]
  %n = phi i32 [ 0, %entry ], [ %n.next, %body ]
  %inside = fcmp olt float %v, 4.0
  br i1 %inside, label %body, label %done

body:
  %v.next = fmul float %v, %start
  %n.next = add i32 %n, 1
  br label %head

done:
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %n, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define i32 @powers.region.0(
; CHECK-SAME: #[[POWERS:[0-9]+]]
define spir_kernel void @powers(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %start = load float, ptr addrspace(1) %pi
  br label %loop

loop:
  %v = phi float [ %start, %entry ], [ %v.next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %square = fmul float %v, %v
  %v.next = fadd float %square, %start
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp ult i32 %k.next, %n
  br i1 %again, label %loop, label %done

done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %v.next, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define i32 @apart.region.0(
; CHECK-SAME: #[[APART:[0-9]+]]
define spir_kernel void @apart(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %gid, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %index = add i64 %row, %k
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %index
  %x = load i32, ptr addrspace(1) %p
  %sum.next = add i32 %sum, %x
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %done

done:
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %gid
  store i32 %sum.next, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define i32 @copy.region.0(
; CHECK-SAME: #[[COPY:[0-9]+]]
define spir_kernel void @copy(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr float, ptr addrspace(1) %in, i64 %gid
  %x = load float, ptr addrspace(1) %pi
  %po = getelementptr float, ptr addrspace(1) %out, i64 %gid
  store float %x, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define i32 @walk.region.0(
; CHECK-SAME: #[[WALK:[0-9]+]]
define spir_kernel void @walk(ptr addrspace(1) %in, ptr addrspace(1) %by, ptr addrspace(1) %out, i64 %n, i64 %pitch) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %gid, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %last = phi float [ 1.0, %entry ], [ %v, %loop ]
  %column = mul i64 %k, %pitch
  %index = add i64 %row, %column
  %p = getelementptr float, ptr addrspace(1) %in, i64 %index
  %x = load float, ptr addrspace(1) %p
  %pb = getelementptr float, ptr addrspace(1) %by, i64 %index
  %b = load float, ptr addrspace(1) %pb
  %q = fdiv float %last, %b
  %u = fsub float %x, %q
  %v = fdiv float %u, %b
  %po = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float %v, ptr addrspace(1) %po
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %done

done:
  ret void
}

; CHECK-LABEL: define i32 @columns.region.0(
; CHECK-SAME: #[[COLUMNS:[0-9]+]]
define spir_kernel void @columns(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %pitch) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %row = mul i64 %k, %pitch
  %index = add i64 %row, %gid
  %p = getelementptr double, ptr addrspace(1) %in, i64 %index
  %x = load double, ptr addrspace(1) %p
  %sum.next = fadd double %sum, %x
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %done

done:
  %po = getelementptr double, ptr addrspace(1) %out, i64 %gid
  store double %sum.next, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define i32 @bytes.region.0(
; CHECK-SAME: #[[BYTES:[0-9]+]]
define spir_kernel void @bytes(ptr addrspace(1) %in, ptr addrspace(1) %keys, ptr addrspace(1) %out, i64 %n) {
entry:
  %gid = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr i8, ptr addrspace(1) %in, i64 %gid
  %x = load i8, ptr addrspace(1) %pi
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %v = phi i8 [ %x, %entry ], [ %v.next, %loop ]
  %p = getelementptr i8, ptr addrspace(1) %keys, i64 %k
  %key = load i8, ptr addrspace(1) %p
  %a = xor i8 %v, %key
  %b = shl i8 %a, 1
  %c = xor i8 %b, %x
  %v.next = add i8 %c, %a
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  %po = getelementptr i8, ptr addrspace(1) %out, i64 %gid
  store i8 %v.next, ptr addrspace(1) %po
  ret void
}

; CHECK-DAG: attributes #[[ESCAPE]] = { {{.*}}"quern-alternative-widths"="9" {{.*}}"quern-chosen-width"="16"
; CHECK-DAG: attributes #[[POWERS]] = { {{.*}}"quern-alternative-widths"="8" {{.*}}"quern-chosen-width"="16" {{.*}}"quern-unlikely-widths"="4"
; CHECK-DAG: attributes #[[APART]] = { {{.*}}"quern-alternative-widths"="16" {{.*}}"quern-chosen-width"="1"
; CHECK-DAG: attributes #[[WALK]] = { {{.*}}"quern-alternative-widths"="41" {{.*}}"quern-chosen-width"="16"
; CHECK-DAG: attributes #[[COLUMNS]] = { {{.*}}"quern-alternative-widths"="20" {{.*}}"quern-chosen-width"="8" {{.*}}"quern-unlikely-widths"="1"
; CHECK-DAG: attributes #[[BYTES]] = { {{.*}}"quern-alternative-widths"="40" {{.*}}"quern-chosen-width"="16"
; CHECK-NOT: attributes #[[COPY]] = { {{.*}}"quern-alternative-widths"

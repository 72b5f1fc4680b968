; RUN: --passes=carried-loads
; What an iteration stored is in a register for the next one, which would read it again otherwise.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: @recurrence(
; CHECK: body:
; CHECK: phi float
; CHECK: load float, ptr addrspace(1) %factor
; CHECK-NOT: load float
; CHECK: ret void
define void @recurrence(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 1, %entry ], [ %next, %body ]
  %before = add nsw i64 %i, -1
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %before
  %value = load float, ptr addrspace(1) %from
  %factor = getelementptr inbounds float, ptr addrspace(1) %b, i64 %i
  %by = load float, ptr addrspace(1) %factor
  %product = fmul float %value, %by
  %to = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  store float %product, ptr addrspace(1) %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done

done:
  ret void
}

; CHECK-LABEL: @copy(
; CHECK: body:
; CHECK-NEXT: %i = phi
; CHECK-NEXT: getelementptr
; CHECK-NEXT: load float
define void @copy(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 1, %entry ], [ %next, %body ]
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr addrspace(1) %b, i64 %i
  store float %value, ptr addrspace(1) %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done

done:
  ret void
}

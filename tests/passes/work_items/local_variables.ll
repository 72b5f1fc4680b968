; RUN: --passes=prepare-kernels,work-item-bodies,local-variables
; Every kernel lays out the local variables that it uses itself; arrays start at cache lines.

@a.small = internal addrspace(3) global i32 undef, align 4
@a.array = internal addrspace(3) global [32 x i32] undef, align 4
@b.other = internal addrspace(3) global i64 undef, align 8

; CHECK-NOT: addrspace(3) global
; CHECK-LABEL: define void @a.item(
; CHECK-DAG: [[SMALL:%.*]] = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
; CHECK-DAG: [[ARRAY:%.*]] = getelementptr inbounds i8, ptr addrspace(3) %local, i64 64
; CHECK: store i32 1, ptr addrspace(3) [[SMALL]]
; CHECK: [[SECOND:%.*]] = getelementptr i8, ptr addrspace(3) [[ARRAY]], i64 4
; CHECK: store i32 2, ptr addrspace(3) [[SECOND]]
; CHECK-LABEL: define void @b.item(
; CHECK: getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
; CHECK-DAG: "quern-kernel"="a" "quern-local-bytes"="192"
; CHECK-DAG: "quern-kernel"="b" "quern-local-bytes"="8"
define spir_kernel void @a() {
  store i32 1, ptr addrspace(3) @a.small
  store i32 2, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @a.array, i64 4)
  ret void
}

define spir_kernel void @b() {
  store i64 3, ptr addrspace(3) @b.other
  ret void
}

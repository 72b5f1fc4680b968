; RUN: --passes=link-builtins,mark-checked-code
; What the program wrote is marked, and what it names.

; CHECK: @table = {{.*}}, !quern.checked
@table = addrspace(2) constant [2 x i32] [i32 1, i32 2]
; CHECK: @unused = {{.*}}[i32 1, i32 2]
; CHECK-NOT: !quern.checked
@unused = addrspace(2) constant [2 x i32] [i32 1, i32 2]

; CHECK-LABEL: define {{.*}}@f(
; CHECK: load i32, ptr addrspace(2) @table, align 4, !quern.checked
define spir_func i32 @f() {
  %x = load i32, ptr addrspace(2) @table, align 4
  ret i32 %x
}

; RUN: --passes=function-pointers
; A pointer caller gets a case for each function of its type with an address, also where the module that it comes from did not know it.

; CHECK-LABEL: define internal spir_func i32 @pointer.call(ptr addrspace(4) %pointer, i32 %x)
; CHECK: switch i64 %number, label %none [
; CHECK-NEXT: i64 11, label %own
; CHECK-NEXT: i64 22, label %[[OTHER:.*]]
; CHECK-NEXT: ]
; CHECK: [[OTHER]]:
; CHECK-NEXT: %[[RESULT:.*]] = call spir_func i32 @of_another_module(i32 %x)
; CHECK-NEXT: ret i32 %[[RESULT]]
define internal spir_func i32 @pointer.call(ptr addrspace(4) %pointer, i32 %x) #0 {
  %number = ptrtoint ptr addrspace(4) %pointer to i64
  switch i64 %number, label %none [
    i64 11, label %own
  ]

none:
  ret i32 0

own:
  %result = call spir_func i32 @own_function(i32 %x)
  ret i32 %result
}

define internal spir_func i32 @own_function(i32 %x) {
  ret i32 %x
}

define internal spir_func i32 @of_another_module(i32 %x) {
  ret i32 7
}

define internal spir_func void @of_another_type(i32 %x) {
  ret void
}

attributes #0 = { "quern-pointer-caller" }
!quern.addressed.functions = !{!0, !1, !2}
!0 = !{ptr @own_function, i64 11}
!1 = !{ptr @of_another_module, i64 22}
!2 = !{ptr @of_another_type, i64 33}

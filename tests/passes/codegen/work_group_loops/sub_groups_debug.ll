; RUN: --target=x86_64;cpu=x86-64-v3;sub-group=8 --steps=prepare-kernels,work-item-bodies,clean-up,sub-groups,isolate-barriers,form-regions,form-packets,work-group-loops
; The form in which sub-groups are packets has debug information of its own, and the call of it a line.

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4), i32)

; CHECK: call void @quern.kernel.k.sub_groups({{.*}}), !dbg [[LINE:![0-9]+]]
; CHECK: define internal void @quern.kernel.k.sub_groups({{.*}} !dbg [[OWN:![0-9]+]]
; CHECK-DAG: [[OWN]] = distinct !DISubprogram(name: "k"
; CHECK-DAG: [[LINE]] = !DILocation(line: 3, scope: [[KERNEL:![0-9]+]])
; CHECK-DAG: [[KERNEL]] = distinct !DISubprogram(name: "k"
define spir_kernel void @k(ptr addrspace(1) %p) !dbg !4 {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0), !dbg !7
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i, !dbg !7
  %x = load i32, ptr addrspace(1) %q, !dbg !7
  %v = call spir_func i32 @__quern_sub_group_int_int(ptr addrspace(4) addrspacecast (ptr @any_of to ptr addrspace(4)), i32 %x), !dbg !7
  store i32 %v, ptr addrspace(1) %q, !dbg !7
  ret void, !dbg !7
}

define internal spir_func void @any_of(ptr %results, ptr %operands, ptr %others, i64 %count, ptr %next, i32 %region) {
  store volatile i64 %count, ptr %results
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cl", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 3, type: !5, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 4, scope: !4)

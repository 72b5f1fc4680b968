; RUN: --passes=lower-opaque-types
; Pipes become addresses and reservations numbers, also in variables, in arrays and in the structs that blocks capture.

; CHECK: @id = internal addrspace(3) global i64 undef, align 8
@id = internal addrspace(3) global target("spirv.ReserveId") undef, align 8
; CHECK: @ids = internal addrspace(3) global [4 x i64] undef, align 8
@ids = internal addrspace(3) global [4 x target("spirv.ReserveId")] undef, align 8

; CHECK-LABEL: define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out)
; CHECK: alloca <{ i32, i64 }>
; CHECK: getelementptr <{ i32, i64 }>
; CHECK: store i64 7, ptr addrspace(3) @id
; CHECK: getelementptr [4 x i64], ptr addrspace(3) @ids
; CHECK: call void @use(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %{{.*}})
define spir_kernel void @kernel(target("spirv.Pipe", 0) %in, target("spirv.Pipe", 1) %out) {
  %captured = alloca <{ i32, target("spirv.ReserveId") }>
  %member = getelementptr <{ i32, target("spirv.ReserveId") }>, ptr %captured, i32 0, i32 1
  store target("spirv.ReserveId") zeroinitializer, ptr %member
  %made = call target("spirv.ReserveId") @__quern_reserve_id(i64 7)
  store target("spirv.ReserveId") %made, ptr addrspace(3) @id
  %element = getelementptr [4 x target("spirv.ReserveId")], ptr addrspace(3) @ids, i32 0, i32 2
  %loaded = load target("spirv.ReserveId"), ptr addrspace(3) %element
  %bits = call i64 @__quern_reserve_id_bits(target("spirv.ReserveId") %loaded)
  %a = call ptr addrspace(1) @__quern_pipe_to_read(target("spirv.Pipe", 0) %in)
  %b = call ptr addrspace(1) @__quern_pipe_to_write(target("spirv.Pipe", 1) %out)
  call void @use(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %bits)
  ret void
}

; CHECK-NOT: declare {{.*}}__quern
declare void @use(ptr addrspace(1), ptr addrspace(1), i64)
declare target("spirv.ReserveId") @__quern_reserve_id(i64)
declare i64 @__quern_reserve_id_bits(target("spirv.ReserveId"))
declare ptr addrspace(1) @__quern_pipe_to_read(target("spirv.Pipe", 0))
declare ptr addrspace(1) @__quern_pipe_to_write(target("spirv.Pipe", 1))

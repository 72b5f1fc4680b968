; RUN: --steps=retarget,prepare-kernels,nvptx-kernels,clean-up,optimize --target=nvptx64;cpu=sm_80;features=+ptx78;sub-group=32 --emit=asm
; A local argument is an offset into the dynamic memory of the work-group; a constant one is global memory that is only read.

; CHECK: .extern .shared .align 128 .b8 __quern_dynamic_local[];
; CHECK: .visible .entry k(
; CHECK-NEXT: .param .u64 .ptr .global .align 4 k_param_0,
; CHECK-NEXT: .param .u64 .ptr .global .align 4 k_param_1,
; CHECK-NEXT: .param .u64 k_param_2,
; CHECK-NEXT: .param .align 1 .b8 k_param_3[3],
; CHECK-NEXT: .param .align 16 .b8 k_param_4[16],
; CHECK-NEXT: .param .align 8 .b8 k_param_5[160]
; CHECK: mov.b64 {{.*}}, __quern_dynamic_local;
; CHECK-DAG: ld.global.nc.b32
; CHECK-DAG: ld.shared.b32
; CHECK: st.global.b32
; CHECK: ret;
%bytes = type { [3 x i8] }

define spir_kernel void @k(ptr addrspace(1) align 4 %out, ptr addrspace(2) align 4 %in, ptr addrspace(3) align 4 %local, ptr byval(%bytes) align 1 %s, <3 x i32> %v) {
  %a = load i32, ptr addrspace(2) %in
  %b = load i32, ptr addrspace(3) %local
  %c = load i8, ptr %s
  %wide = zext i8 %c to i32
  %d = extractelement <3 x i32> %v, i32 1
  %ab = add i32 %a, %b
  %abc = add i32 %ab, %wide
  %abcd = add i32 %abc, %d
  store i32 %abcd, ptr addrspace(1) %out
  ret void
}

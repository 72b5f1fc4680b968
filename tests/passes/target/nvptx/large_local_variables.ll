; RUN: --steps=retarget,prepare-kernels,nvptx-kernels,clean-up,optimize --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32 --emit=asm
; The driver's compiler allows variables of 48 KiB in all: a kernel with more has them in the dynamic memory, one with fewer keeps
; them, although both together have more.

; CHECK: .extern .shared .align 128 .b8 __quern_dynamic_local[];
; CHECK-LABEL: .visible .entry both(
; CHECK: st.volatile.shared.b32 [%{{.*}}+40000],
; CHECK: ret;
; CHECK-LABEL: .visible .entry one(
; CHECK-NOT: __quern_dynamic_local
; CHECK: .shared .align 16 .b8 third[36000];
; CHECK-NOT: __quern_dynamic_local
; CHECK: ret;
@first = internal addrspace(3) global [10000 x i32] undef, align 4
@second = internal addrspace(3) global [10000 x i32] undef, align 4
@third = internal addrspace(3) global [9000 x i32] undef, align 4

define spir_kernel void @both(ptr addrspace(1) %out, i32 %i) {
  %a = getelementptr [10000 x i32], ptr addrspace(3) @first, i32 0, i32 %i
  %b = getelementptr [10000 x i32], ptr addrspace(3) @second, i32 0, i32 %i
  store volatile i32 1, ptr addrspace(3) %a
  store volatile i32 2, ptr addrspace(3) %b
  %x = load volatile i32, ptr addrspace(3) %a
  store i32 %x, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @one(ptr addrspace(1) %out, i32 %i) {
  %a = getelementptr [9000 x i32], ptr addrspace(3) @third, i32 0, i32 %i
  store volatile i32 1, ptr addrspace(3) %a
  %x = load volatile i32, ptr addrspace(3) %a
  store i32 %x, ptr addrspace(1) %out
  ret void
}

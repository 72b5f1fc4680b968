; RUN: --steps=optimize --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; A kernel waits for those before it in the stream ahead of all that it does. Loads of what is only read become ordinary ones, which
; the driver's compiler leaves behind the wait; where they come after a store they stay what they are, and the kernel does not wait.

; CHECK: define ptx_kernel void @argument(ptr addrspace(1) noalias {{.*}}%in, {{.*}} #[[EARLY:[0-9]+]]
; CHECK-NEXT: call void @llvm.nvvm.griddepcontrol.wait()
; CHECK-NEXT: load i32, ptr addrspace(1) %in, align 4{{$}}
define ptx_kernel void @argument(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) {
  %value = load i32, ptr addrspace(1) %in
  %more = call i32 @outline(ptr addrspace(1) %in)
  %sum = add i32 %value, %more
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

; CHECK: define ptx_kernel void @constant({{.*}} #[[EARLY]]
; CHECK-NEXT: call void @llvm.nvvm.griddepcontrol.wait()
; CHECK-NEXT: load i32, ptr addrspace(1) %in, align 4{{$}}
define ptx_kernel void @constant(ptr addrspace(1) %in, ptr addrspace(1) noalias %out) {
  %value = load i32, ptr addrspace(1) %in, !invariant.load !0
  store i32 %value, ptr addrspace(1) %out
  ret void
}

; CHECK: define ptx_kernel void @after_a_store({{.*}} #[[LATE:[0-9]+]]
; CHECK-NOT: griddepcontrol
; CHECK: load i32, {{.*}}!invariant.load
define ptx_kernel void @after_a_store(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %value = load i32, ptr addrspace(1) %from, !invariant.load !0
  %more = add i32 %value, %i
  store volatile i32 %more, ptr addrspace(1) %to
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Nor does one that reads textures.
; CHECK: define ptx_kernel void @texture({{.*}} #[[TEXTURE:[0-9]+]]
; CHECK-NOT: griddepcontrol
define ptx_kernel void @texture(i64 %texture, ptr addrspace(1) %out) {
  %value = call float @sample(i64 %texture)
  store float %value, ptr addrspace(1) %out
  ret void
}
define float @sample(i64 %texture) noinline {
  %color = call { float, float, float, float } @llvm.nvvm.tex.unified.2d.v4f32.f32(i64 %texture, float 0.0, float 0.0)
  %red = extractvalue { float, float, float, float } %color, 0
  ret float %red
}

; CHECK: define {{.*}} @outline
; CHECK-NEXT: load i32, ptr addrspace(1) %in, align 4{{$}}
define i32 @outline(ptr addrspace(1) %in) noinline {
  %x = load i32, ptr addrspace(1) %in, !invariant.load !0
  %y = mul i32 %x, %x
  ret i32 %y
}

; CHECK: attributes #[[EARLY]] = {{.*}}"quern-starts-early"
; CHECK: attributes #[[LATE]] = {
; CHECK-NOT: quern-starts-early
; CHECK-SAME: }
; CHECK: attributes #[[TEXTURE]] = {
; CHECK-NOT: quern-starts-early
; CHECK-SAME: }

declare { float, float, float, float } @llvm.nvvm.tex.unified.2d.v4f32.f32(i64, float, float)

!0 = !{}

; RUN: --passes=nvptx-texture-forms --target=nvptx64;cpu=sm_90;features=+ptx78;sub-group=32
; A kernel looks first whether the images that it reads have their textures, and has a body without tests for that. What it tests
; otherwise it tests where it needs it, and so does what it calls.

; CHECK-LABEL: define ptx_kernel void @two_images(
; CHECK-NEXT: [[PLACE:%.*]] = getelementptr i8, ptr addrspace(1) %a, i64 72
; CHECK-NEXT: [[FIRST:%.*]] = load i64, ptr addrspace(1) [[PLACE]], align 8, !invariant.load
; CHECK-NEXT: [[HAS_FIRST:%.*]] = icmp ne i64 [[FIRST]], 0
; CHECK: [[SECOND:%.*]] = load i64, ptr addrspace(1) {{.*}}, align 8, !invariant.load
; CHECK-NEXT: [[HAS_SECOND:%.*]] = icmp ne i64 [[SECOND]], 0
; CHECK: br i1 {{.*}}, label %[[ALL:.*]], label %[[SOME:.*]]
; CHECK: [[SOME]]:
; CHECK-COUNT-2: icmp ne i64
; CHECK: ret void
; CHECK: [[ALL]]:
; CHECK-NOT: icmp {{..}} i64
; CHECK: call i32 @call(i64 %
; CHECK-NOT: icmp {{..}} i64
; CHECK: }
define ptx_kernel void @two_images(ptr addrspace(1) readonly dereferenceable(112) %a, ptr addrspace(1) readonly dereferenceable(112) %b, ptr addrspace(1) %out) {
  %place.a = getelementptr i8, ptr addrspace(1) %a, i64 72
  %texture.a = load i64, ptr addrspace(1) %place.a, !invariant.load !0
  %has.a = call i32 @quern.has_texture(i64 %texture.a)
  %if.a = icmp ne i32 %has.a, 0
  br i1 %if.a, label %read, label %end
read:
  %place.b = getelementptr i8, ptr addrspace(1) %b, i64 80
  %texture.b = load i64, ptr addrspace(1) %place.b, !invariant.load !0
  %has.b = call i32 @quern.has_texture(i64 %texture.b)
  %value = call i32 @call(i64 %texture.b)
  %sum = add i32 %has.b, %value
  store i32 %sum, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unknown_image(
; CHECK-NOT: br
; CHECK: icmp ne i64 %texture, 0
define ptx_kernel void @unknown_image(i64 %texture, ptr addrspace(1) %out) {
  %has = call i32 @quern.has_texture(i64 %texture)
  store i32 %has, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define i32 @call(
; CHECK-NEXT: icmp ne i64 %texture, 0
define i32 @call(i64 %texture) noinline {
  %has = call i32 @quern.has_texture(i64 %texture)
  ret i32 %has
}

; CHECK-NOT: quern.has_texture
declare i32 @quern.has_texture(i64) memory(none)

!0 = !{}

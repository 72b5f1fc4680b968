; RUN: --passes=target-attributes --target=x86_64;cpu=x86-64-v3;features=-avx2
; Every function says its processor; no call is convergent any more, and nothing throws.

; CHECK: declare i32 @other(ptr) [[OTHER:#[0-9]+]]
; CHECK: define void @entry(ptr {{.*}} [[ENTRY:#[0-9]+]] {
; CHECK: call i32 @other(ptr %p){{$}}
; CHECK: attributes [[OTHER]] = { nounwind }
; CHECK: attributes [[ENTRY]] = { nounwind "target-cpu"="x86-64-v3" "target-features"="-avx2,-sse4a" }
declare i32 @other(ptr) convergent

define void @entry(ptr %p) convergent "stack-protector-buffer-size"="8" {
  %x = call i32 @other(ptr %p) convergent
  store i32 %x, ptr %p
  ret void
}

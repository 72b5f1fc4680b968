; RUN: --passes=function(aligned-spills)
; The stack is realigned where a vector that is spilled would cross lines of the cache.

; CHECK: define <8 x float> @wide({{.*}}) #[[REALIGNED:[0-9]+]]
define <8 x float> @wide(ptr %p) {
  %v = load <8 x float>, ptr %p, align 4
  ret <8 x float> %v
}

; CHECK: define <4 x float> @narrow({{[^)]*}}) {
define <4 x float> @narrow(ptr %p) {
  %v = load <4 x float>, ptr %p, align 4
  ret <4 x float> %v
}

; CHECK: attributes #[[REALIGNED]] = { "stackrealign" }

; RUN: FAILS --passes=prepare-kernels,work-item-bodies,undefined-functions
; CHECK: error: {{.*}}undefined function 'missing(int)', called by kernel 'k'
declare spir_func i32 @_Z7missingi(i32)

define spir_kernel void @k(ptr addrspace(1) %p) {
  %x = call spir_func i32 @_Z7missingi(i32 1)
  store i32 %x, ptr addrspace(1) %p
  ret void
}

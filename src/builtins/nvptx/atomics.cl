// The atomic functions and the fence of OpenCL C 2.0 and later for NVIDIA's GPUs, to which the
// host's memory is further away than their own: only what is to be seen by all devices says so. The
// compiler takes volatile accesses for those of the device's scope (compiler/target/nvptx/memory_order.h).
#define FORM(name) __nvptx_##name
#define IN_SCOPE(scope, OPERATION, SPACE, T, p, ...)                                               \
  ((scope) == memory_scope_all_svm_devices                                                         \
       ? OPERATION((SPACE atomic_##T*)(p), __VA_ARGS__, memory_scope_all_svm_devices)              \
       : OPERATION(p, __VA_ARGS__, memory_scope_device))
#include "../atomic/c11.cl"

// Of any order.
void __quern_nvptx_fence_of_all_devices(void);

BUILTIN void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                    memory_scope scope);

BUILTIN void __nvptx_atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                            memory_scope scope) {
  if (scope != memory_scope_all_svm_devices)
    atomic_work_item_fence(flags, order, scope);
  else if (order != memory_order_relaxed)
    __quern_nvptx_fence_of_all_devices();
}

// Fences. Work-items of a group run on one thread, so a fence orders memory between threads of the
// processor; a relaxed one does nothing.
#include "types.h"

BUILTIN void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                    memory_scope scope) {
  switch (order) {
  case memory_order_relaxed:
    break;
  case memory_order_acquire:
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    break;
  case memory_order_release:
    __atomic_thread_fence(__ATOMIC_RELEASE);
    break;
  case memory_order_acq_rel:
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
    break;
  case memory_order_seq_cst:
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    break;
  }
}

BUILTIN void mem_fence(cl_mem_fence_flags flags) {
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}
BUILTIN void read_mem_fence(cl_mem_fence_flags flags) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
}
BUILTIN void write_mem_fence(cl_mem_fence_flags flags) {
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

// get_fence, and the functions that Clang calls for to_global, to_local and to_private.
#include "types.h"

// Provided by the compiler, which knows where private and local memory lie: 1 for global, 3 for
// local and 0 for private memory.
int __quern_address_space_of(const generic void* p);

#define CAST(SPACE, NUMBER)                                                                        \
  __attribute__((always_inline)) SPACE void* __to_##SPACE(generic void* p) {                       \
    return __quern_address_space_of(p) == NUMBER ? (SPACE void*)p : (SPACE void*)0;                \
  }
CAST(global, 1)
CAST(local, 3)
CAST(private, 0)

#define FENCE(QUALIFIER)                                                                           \
  BUILTIN cl_mem_fence_flags get_fence(QUALIFIER generic void* p) {                                \
    return __quern_address_space_of(p) == 3 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;          \
  }
FENCE()
FENCE(const)

// Copies of packets that are aligned like elements of T. In a source of their own, so that they are
// chosen between only where the alignment is known: chosen between here, they would become one that
// assumes none.
#include "types.h"

#define COPY(BYTES, T)                                                                             \
  BUILTIN void __quern_copy_packet_##BYTES(generic void* to, const generic void* from,             \
                                           uint bytes) {                                           \
    __builtin_memcpy((generic T*)to, (const generic T*)from, bytes);                               \
  }
COPY(1, uchar)
COPY(2, ushort)
COPY(4, uint)
COPY(8, ulong)
COPY(16, uint4)

// Blocks of an image that a sub-group reads and writes together (cl_intel_subgroups, with what
// cl_intel_subgroups_char, _short and _long add): of each of its rows as many elements of the
// function's type as a full sub-group has work-items, whatever the image is made of. The first
// coordinate counts bytes.
#include "image_types.h"

// A block begins where the first work-item says (see sub_group/intel.cl).
static inline BUILTIN int2 first_place(int2 byte_coord) {
  return (int2)(sub_group_broadcast_first(byte_coord.x), sub_group_broadcast_first(byte_coord.y));
}

// Reading beyond an edge gives what is there, writing does nothing. A row with less than one
// element of the type has none.
#define ROWS(T)                                                                                    \
  typedef T unaligned_##T __attribute__((aligned(1)));                                             \
  static inline BUILTIN int last_##T(image_ptr image) {                                            \
    return image->size[0] * (int)image->element_bytes - (int)sizeof(T);                            \
  }                                                                                                \
  static inline BUILTIN global unaligned_##T* place_##T(image_ptr image, int x, int y) {           \
    return (global unaligned_##T*)(image->data + (ulong)y * image->strides[0] + (ulong)x);         \
  }                                                                                                \
  static inline BUILTIN int own_##T(int2 byte_coord) {                                             \
    return byte_coord.x + (int)(get_sub_group_local_id() * sizeof(T));                             \
  }                                                                                                \
  static inline BUILTIN T read_##T(image_ptr image, int2 byte_coord, int row) {                    \
    const int last = last_##T(image);                                                              \
    const int x =                                                                                  \
        __builtin_elementwise_max(__builtin_elementwise_min(own_##T(byte_coord), last), 0);        \
    return last < 0 ? (T)0                                                                         \
                    : *place_##T(image, x, clamp_index(byte_coord.y + row, image->size[1]));       \
  }                                                                                                \
  static inline BUILTIN void write_##T(image_ptr image, int2 byte_coord, int row, T data) {        \
    const int x = own_##T(byte_coord), y = byte_coord.y + row;                                     \
    if (x >= 0 && x <= last_##T(image) && (uint)y < (uint)image->size[1])                          \
      *place_##T(image, x, y) = data;                                                              \
  }
#define HALVES(T, N, HALF)                                                                         \
  static inline BUILTIN T##N read_##T##N(image_ptr image, int2 byte_coord, int row) {              \
    return (T##N)(read_##T##HALF(image, byte_coord, row),                                          \
                  read_##T##HALF(image, byte_coord, row + N / 2));                                 \
  }                                                                                                \
  static inline BUILTIN void write_##T##N(image_ptr image, int2 byte_coord, int row, T##N data) {  \
    write_##T##HALF(image, byte_coord, row, data.lo);                                              \
    write_##T##HALF(image, byte_coord, row + N / 2, data.hi);                                      \
  }

#define BLOCK_READ(SUFFIX, T, N, ACCESS)                                                           \
  BUILTIN T##N intel_sub_group_block_read##SUFFIX##N(ACCESS image2d_t image, int2 byte_coord) {    \
    return read_##T##N(__quern_image(image), first_place(byte_coord), 0);                          \
  }
#define BLOCK_WRITE(SUFFIX, T, N, ACCESS)                                                          \
  BUILTIN void intel_sub_group_block_write##SUFFIX##N(ACCESS image2d_t image, int2 byte_coord,     \
                                                      T##N data) {                                 \
    write_##T##N(__quern_image(image), first_place(byte_coord), 0, data);                          \
  }
#define BLOCK(SUFFIX, T, N)                                                                        \
  BLOCK_READ(SUFFIX, T, N, read_only)                                                              \
  BLOCK_READ(SUFFIX, T, N, read_write)                                                             \
  BLOCK_WRITE(SUFFIX, T, N, write_only)                                                            \
  BLOCK_WRITE(SUFFIX, T, N, read_write)
#define BLOCKS(SUFFIX, T)                                                                          \
  BLOCK(SUFFIX, T, )                                                                               \
  BLOCK(SUFFIX, T, 2)                                                                              \
  BLOCK(SUFFIX, T, 4)                                                                              \
  BLOCK(SUFFIX, T, 8)

#define TYPE(T)                                                                                    \
  ROWS(T)                                                                                          \
  HALVES(T, 2, )                                                                                   \
  HALVES(T, 4, 2)                                                                                  \
  HALVES(T, 8, 4)
TYPE(uchar)
TYPE(ushort)
TYPE(uint)
TYPE(ulong)
HALVES(uchar, 16, 8)
HALVES(ushort, 16, 8)

BLOCKS(, uint)
BLOCKS(_ui, uint)
BLOCKS(_uc, uchar)
BLOCKS(_us, ushort)
BLOCKS(_ul, ulong)
BLOCK(_uc, uchar, 16)
BLOCK(_us, ushort, 16)

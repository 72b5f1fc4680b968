// Elements of an image in memory, decoded to and encoded from colors (OpenCL C 3.0, 6.15.15; OpenCL 3.0, appendix "Conversion
// rules for normalized integer channel data types"). Elements may lie at any address.
#include "half.h"
#include "image.h"

BUILTIN float4 __quern_normalized(float4 x, float steps, float inverse);

#define UNALIGNED(T)                                                                               \
  typedef T unaligned_##T __attribute__((aligned(1)));                                             \
  typedef T##2 unaligned_##T##2 __attribute__((aligned(1)));                                       \
  typedef T##4 unaligned_##T##4 __attribute__((aligned(1)));
UNALIGNED(char)
UNALIGNED(uchar)
UNALIGNED(short)
UNALIGNED(ushort)
UNALIGNED(int)
UNALIGNED(uint)
UNALIGNED(float)

#define ELEMENT(T) (*(global unaligned_##T*)element)

// Stored channels in the places of red, green, blue and alpha.
#define IN_PLACE(SUFFIX, T, ...)                                                                   \
  static inline BUILTIN T##4 in_place(uint order, T##4 c) {                                        \
    switch (order) {                                                                               \
    case ORDER_A:                                                                                  \
      return (T##4)(0, 0, 0, c.x);                                                                 \
    case ORDER_RA:                                                                                 \
      return (T##4)(c.x, 0, 0, c.y);                                                               \
    case ORDER_BGRA:                                                                               \
      return c.zyxw;                                                                               \
    case ORDER_ARGB:                                                                               \
      return c.yzwx;                                                                               \
    case ORDER_ABGR:                                                                               \
      return c.wzyx;                                                                               \
    case ORDER_INTENSITY:                                                                          \
      return c.xxxx;                                                                               \
    case ORDER_LUMINANCE:                                                                          \
      return (T##4)(c.xxx, 1);                                                                     \
    default:                                                                                       \
      return c;                                                                                    \
    }                                                                                              \
  }                                                                                                \
  static inline BUILTIN T##4 as_stored(uint order, T##4 c) {                                       \
    switch (order) {                                                                               \
    case ORDER_A:                                                                                  \
      return c.wwww;                                                                               \
    case ORDER_RA:                                                                                 \
      return c.xwxw;                                                                               \
    case ORDER_BGRA:                                                                               \
      return c.zyxw;                                                                               \
    case ORDER_ARGB:                                                                               \
      return c.wxyz;                                                                               \
    case ORDER_ABGR:                                                                               \
      return c.wzyx;                                                                               \
    default:                                                                                       \
      return c;                                                                                    \
    }                                                                                              \
  }
EACH_SUFFIX(IN_PLACE, )

// Channels that are not stored are 0, alpha is 1. Every decoding makes 0 of 0.
#define FETCH_CASES(KIND, T, DECODE)                                                               \
  case LAYOUT(KIND, 1):                                                                            \
    color = DECODE((T##4)(ELEMENT(T), 0, 0, 0));                                                   \
    color.w = 1;                                                                                   \
    break;                                                                                         \
  case LAYOUT(KIND, 2):                                                                            \
    color = DECODE((T##4)(ELEMENT(T##2), 0, 0));                                                   \
    color.w = 1;                                                                                   \
    break;                                                                                         \
  case LAYOUT(KIND, 4):                                                                            \
    color = DECODE(ELEMENT(T##4));                                                                 \
    break;

#define STORE_CASES(KIND, T, ENCODE)                                                               \
  case LAYOUT(KIND, 1):                                                                            \
    ELEMENT(T) = ENCODE(color).x;                                                                  \
    break;                                                                                         \
  case LAYOUT(KIND, 2):                                                                            \
    ELEMENT(T##2) = ENCODE(color).xy;                                                              \
    break;                                                                                         \
  case LAYOUT(KIND, 4):                                                                            \
    ELEMENT(T##4) = ENCODE(color);                                                                 \
    break;

#define AS_IS(x) (x)
#define TO_FLOAT(x) __builtin_convertvector(x, float4)
#define TO_INT(x) __builtin_convertvector(x, int4)
#define TO_UINT(x) __builtin_convertvector(x, uint4)
#define NORMALIZED(x, steps) __quern_normalized(TO_FLOAT(x), steps, 1.0f / steps)
// The lowest value of a signed type is -1 like its neighbour.
#define DECODE_SNORM8(x) __builtin_elementwise_max(NORMALIZED(x, 127), (float4)-1)
#define DECODE_SNORM16(x) __builtin_elementwise_max(NORMALIZED(x, 32767), (float4)-1)
#define DECODE_UNORM8(x) NORMALIZED(x, 255)
#define DECODE_UNORM16(x) NORMALIZED(x, 65535)

// Rounded to the nearest of the integers from `lowest` to `highest`; NaN becomes 0.
static inline BUILTIN float4 to_steps(float4 color, float4 steps, float4 lowest, float4 highest) {
  float4 scaled = color * steps;
  scaled = scaled == scaled ? scaled : (float4)0;
  scaled = __builtin_elementwise_max(__builtin_elementwise_min(scaled, highest), lowest);
  return __builtin_elementwise_roundeven(scaled);
}

#define ENCODE_SNORM8(x) __builtin_convertvector(to_steps(x, 127, -128, 127), char4)
#define ENCODE_SNORM16(x) __builtin_convertvector(to_steps(x, 32767, -32768, 32767), short4)
#define ENCODE_UNORM8(x) __builtin_convertvector(to_steps(x, 255, 0, 255), uchar4)
#define ENCODE_UNORM16(x) __builtin_convertvector(to_steps(x, 65535, 0, 65535), ushort4)

#define SATURATED(T, LOWEST, HIGHEST, x)                                                           \
  __builtin_convertvector(                                                                         \
      __builtin_elementwise_max(__builtin_elementwise_min(x, HIGHEST), LOWEST), T##4)
#define ENCODE_CHAR(x) SATURATED(char, (int4)-128, (int4)127, x)
#define ENCODE_SHORT(x) SATURATED(short, (int4)-32768, (int4)32767, x)
#define ENCODE_UCHAR(x) SATURATED(uchar, (uint4)0, (uint4)255, x)
#define ENCODE_USHORT(x) SATURATED(ushort, (uint4)0, (uint4)65535, x)
#define ENCODE_UCHAR_OF_INT(x) ENCODE_UCHAR(__builtin_astype(x, uint4))
#define ENCODE_USHORT_OF_INT(x) ENCODE_USHORT(__builtin_astype(x, uint4))

// The fields of a packed element, from where `shifts` says.
static inline BUILTIN float4 unpack(uint bits, uint4 shifts, float4 steps) {
  const uint4 masks = __builtin_convertvector(steps, uint4);
  return TO_FLOAT(((uint4)bits >> shifts) & masks) / steps;
}

static inline BUILTIN uint pack(float4 color, uint4 shifts, float4 steps) {
  const uint4 fields = __builtin_convertvector(to_steps(color, steps, 0, steps), uint4) << shifts;
  return fields.x | fields.y | fields.z | fields.w;
}

// Where a format has no alpha, its field has no steps: it is packed as 0.
#define SHIFTS_565 ((uint4)(11, 5, 0, 0))
#define STEPS_565 ((float4)(31, 63, 31, 0))
#define SHIFTS_555 ((uint4)(10, 5, 0, 0))
#define STEPS_555 ((float4)(31, 31, 31, 0))
#define SHIFTS_101010 ((uint4)(20, 10, 0, 0))
#define STEPS_101010 ((float4)(1023, 1023, 1023, 0))
#define SHIFTS_101010_2 ((uint4)(22, 12, 2, 0))
#define STEPS_101010_2 ((float4)(1023, 1023, 1023, 3))

static inline BUILTIN float4 linear_from_srgb(image_ptr image, uchar4 stored) {
  global const float* table = (global const float*)image->srgb_table;
  // The color channels are the first three, in either order.
  return (float4)(table[stored.x], table[stored.y], table[stored.z], stored.w * (1 / 255.0f));
}

float4 __quern_fetch_f(image_ptr image, ulong offset) {
  const ulong element = image->data + offset;
  float4 color = 0;
  switch (image->layout) {
    FETCH_CASES(UNORM_INT8, uchar, DECODE_UNORM8)
    FETCH_CASES(FULL_FLOAT, float, AS_IS)
    FETCH_CASES(SNORM_INT8, char, DECODE_SNORM8)
    FETCH_CASES(SNORM_INT16, short, DECODE_SNORM16)
    FETCH_CASES(UNORM_INT16, ushort, DECODE_UNORM16)
    FETCH_CASES(HALF_FLOAT, ushort, half_to_float)
  case LAYOUT(UNORM_SHORT_565, 3):
    color = (float4)(unpack(ELEMENT(ushort), SHIFTS_565, STEPS_565).xyz, 1);
    break;
  case LAYOUT(UNORM_SHORT_555, 3):
    color = (float4)(unpack(ELEMENT(ushort), SHIFTS_555, STEPS_555).xyz, 1);
    break;
  case LAYOUT(UNORM_INT_101010, 3):
    color = (float4)(unpack(ELEMENT(uint), SHIFTS_101010, STEPS_101010).xyz, 1);
    break;
  case LAYOUT(UNORM_INT_101010_2, 4):
    color = unpack(ELEMENT(uint), SHIFTS_101010_2, STEPS_101010_2);
    break;
  case LAYOUT(SRGB_INT8, 4):
    color = linear_from_srgb(image, ELEMENT(uchar4));
    break;
  }
  return in_place(image->order, color);
}

// SPIR-V does not always tell signed integers from unsigned ones, so these take both.
int4 __quern_fetch_i(image_ptr image, ulong offset) {
  const ulong element = image->data + offset;
  int4 color = 0;
  switch (image->layout) {
    FETCH_CASES(SIGNED_INT8, char, TO_INT)
    FETCH_CASES(SIGNED_INT16, short, TO_INT)
    FETCH_CASES(SIGNED_INT32, int, AS_IS)
    FETCH_CASES(UNSIGNED_INT8, uchar, TO_INT)
    FETCH_CASES(UNSIGNED_INT16, ushort, TO_INT)
    FETCH_CASES(UNSIGNED_INT32, int, AS_IS)
  }
  return in_place(image->order, color);
}

uint4 __quern_fetch_ui(image_ptr image, ulong offset) {
  const ulong element = image->data + offset;
  uint4 color = 0;
  switch (image->layout) {
    FETCH_CASES(UNSIGNED_INT8, uchar, TO_UINT)
    FETCH_CASES(UNSIGNED_INT16, ushort, TO_UINT)
    FETCH_CASES(UNSIGNED_INT32, uint, AS_IS)
  }
  return in_place(image->order, color);
}

void __quern_store_f(image_ptr image, ulong offset, float4 color) {
  const ulong element = image->data + offset;
  color = as_stored(image->order, color);
  switch (image->layout) {
    STORE_CASES(UNORM_INT8, uchar, ENCODE_UNORM8)
    STORE_CASES(FULL_FLOAT, float, AS_IS)
    STORE_CASES(SNORM_INT8, char, ENCODE_SNORM8)
    STORE_CASES(SNORM_INT16, short, ENCODE_SNORM16)
    STORE_CASES(UNORM_INT16, ushort, ENCODE_UNORM16)
    STORE_CASES(HALF_FLOAT, ushort, to_half_rte)
  case LAYOUT(UNORM_SHORT_565, 3):
    ELEMENT(ushort) = pack(color, SHIFTS_565, STEPS_565);
    break;
  case LAYOUT(UNORM_SHORT_555, 3):
    ELEMENT(ushort) = pack(color, SHIFTS_555, STEPS_555);
    break;
  case LAYOUT(UNORM_INT_101010, 3):
    ELEMENT(uint) = pack(color, SHIFTS_101010, STEPS_101010);
    break;
  case LAYOUT(UNORM_INT_101010_2, 4):
    ELEMENT(uint) = pack(color, SHIFTS_101010_2, STEPS_101010_2);
    break;
  }
}

void __quern_store_i(image_ptr image, ulong offset, int4 color) {
  const ulong element = image->data + offset;
  color = as_stored(image->order, color);
  switch (image->layout) {
    STORE_CASES(SIGNED_INT8, char, ENCODE_CHAR)
    STORE_CASES(SIGNED_INT16, short, ENCODE_SHORT)
    STORE_CASES(SIGNED_INT32, int, AS_IS)
    STORE_CASES(UNSIGNED_INT8, uchar, ENCODE_UCHAR_OF_INT)
    STORE_CASES(UNSIGNED_INT16, ushort, ENCODE_USHORT_OF_INT)
    STORE_CASES(UNSIGNED_INT32, int, AS_IS)
  }
}

void __quern_store_ui(image_ptr image, ulong offset, uint4 color) {
  const ulong element = image->data + offset;
  color = as_stored(image->order, color);
  switch (image->layout) {
    STORE_CASES(UNSIGNED_INT8, uchar, ENCODE_UCHAR)
    STORE_CASES(UNSIGNED_INT16, ushort, ENCODE_USHORT)
    STORE_CASES(UNSIGNED_INT32, uint, AS_IS)
  }
}

// The atomic functions of OpenCL C 2.0 and later. The order is nearly always known where the
// function is called, and the choice between the orders vanishes there. The scope is always the
// widest: to a CPU, every scope costs the same.
#include "types.h"

#define SCOPE memory_scope_all_svm_devices

#define LOAD_STORE(SPACE, T)                                                                       \
  BUILTIN void atomic_init(volatile SPACE atomic_##T* p, T x) {                                    \
    __opencl_atomic_init(p, x);                                                                    \
  }                                                                                                \
  BUILTIN T atomic_load_explicit(volatile SPACE atomic_##T* p, memory_order order,                 \
                                 memory_scope scope) {                                             \
    return __opencl_atomic_load(p, order, SCOPE);                                                  \
  }                                                                                                \
  BUILTIN T atomic_load_explicit(volatile SPACE atomic_##T* p, memory_order order) {               \
    return __opencl_atomic_load(p, order, SCOPE);                                                  \
  }                                                                                                \
  BUILTIN T atomic_load(volatile SPACE atomic_##T* p) {                                            \
    return __opencl_atomic_load(p, memory_order_seq_cst, SCOPE);                                   \
  }                                                                                                \
  BUILTIN void atomic_store_explicit(volatile SPACE atomic_##T* p, T x, memory_order order,        \
                                     memory_scope scope) {                                         \
    __opencl_atomic_store(p, x, order, SCOPE);                                                     \
  }                                                                                                \
  BUILTIN void atomic_store_explicit(volatile SPACE atomic_##T* p, T x, memory_order order) {      \
    __opencl_atomic_store(p, x, order, SCOPE);                                                     \
  }                                                                                                \
  BUILTIN void atomic_store(volatile SPACE atomic_##T* p, T x) {                                   \
    __opencl_atomic_store(p, x, memory_order_seq_cst, SCOPE);                                      \
  }

#define READ_MODIFY_WRITE(NAME, SPACE, T, OPERAND)                                                 \
  BUILTIN T atomic_##NAME##_explicit(volatile SPACE atomic_##T* p, OPERAND x, memory_order order,  \
                                     memory_scope scope) {                                         \
    return __opencl_atomic_##NAME(p, (T)x, order, SCOPE);                                          \
  }                                                                                                \
  BUILTIN T atomic_##NAME##_explicit(volatile SPACE atomic_##T* p, OPERAND x,                      \
                                     memory_order order) {                                         \
    return __opencl_atomic_##NAME(p, (T)x, order, SCOPE);                                          \
  }                                                                                                \
  BUILTIN T atomic_##NAME(volatile SPACE atomic_##T* p, OPERAND x) {                               \
    return __opencl_atomic_##NAME(p, (T)x, memory_order_seq_cst, SCOPE);                           \
  }

// Success may need a stronger order than failure; the stronger one for both is always right, and
// costs nothing on a CPU.
#define COMPARE_EXCHANGE(STRENGTH, SPACE, EXPECTED_SPACE, T)                                       \
  BUILTIN bool atomic_compare_exchange_##STRENGTH(volatile SPACE atomic_##T* p,                    \
                                                  EXPECTED_SPACE T* expected, T x) {               \
  private                                                                                          \
    T found = *expected;                                                                           \
    bool exchanged = __opencl_atomic_compare_exchange_##STRENGTH(                                  \
        p, &found, x, memory_order_seq_cst, memory_order_seq_cst, SCOPE);                          \
    if (!exchanged)                                                                                \
      *expected = found;                                                                           \
    return exchanged;                                                                              \
  }                                                                                                \
  BUILTIN bool atomic_compare_exchange_##STRENGTH##_explicit(                                      \
      volatile SPACE atomic_##T* p, EXPECTED_SPACE T* expected, T x, memory_order success,         \
      memory_order failure, memory_scope scope) {                                                  \
    return atomic_compare_exchange_##STRENGTH(p, expected, x);                                     \
  }                                                                                                \
  BUILTIN bool atomic_compare_exchange_##STRENGTH##_explicit(                                      \
      volatile SPACE atomic_##T* p, EXPECTED_SPACE T* expected, T x, memory_order success,         \
      memory_order failure) {                                                                      \
    return atomic_compare_exchange_##STRENGTH(p, expected, x);                                     \
  }
#define COMPARE_EXCHANGES(SPACE, EXPECTED_SPACE, T)                                                \
  COMPARE_EXCHANGE(strong, SPACE, EXPECTED_SPACE, T)                                               \
  COMPARE_EXCHANGE(weak, SPACE, EXPECTED_SPACE, T)

#define ANY_TYPE(SPACE, T)                                                                         \
  LOAD_STORE(SPACE, T)                                                                             \
  READ_MODIFY_WRITE(exchange, SPACE, T, T)                                                         \
  COMPARE_EXCHANGES(SPACE, global, T)                                                              \
  COMPARE_EXCHANGES(SPACE, local, T)                                                               \
  COMPARE_EXCHANGES(SPACE, private, T)                                                             \
  COMPARE_EXCHANGES(SPACE, generic, T)

#define ARITHMETIC(SPACE, T, OPERAND)                                                              \
  READ_MODIFY_WRITE(fetch_add, SPACE, T, OPERAND)                                                  \
  READ_MODIFY_WRITE(fetch_sub, SPACE, T, OPERAND)                                                  \
  READ_MODIFY_WRITE(fetch_min, SPACE, T, OPERAND)                                                  \
  READ_MODIFY_WRITE(fetch_max, SPACE, T, OPERAND)
#define LOGIC(SPACE, T, OPERAND)                                                                   \
  READ_MODIFY_WRITE(fetch_and, SPACE, T, OPERAND)                                                  \
  READ_MODIFY_WRITE(fetch_or, SPACE, T, OPERAND)                                                   \
  READ_MODIFY_WRITE(fetch_xor, SPACE, T, OPERAND)

// The integer types for pointers and differences of pointers are those of 64 bits; an operand may
// be of the other signedness than the object.
#define INTEGER(SPACE, T, OPERAND) ARITHMETIC(SPACE, T, OPERAND) LOGIC(SPACE, T, OPERAND)
#define FLAG(SPACE)                                                                                \
  BUILTIN bool atomic_flag_test_and_set_explicit(volatile SPACE atomic_flag* p,                    \
                                                 memory_order order, memory_scope scope) {         \
    return __opencl_atomic_exchange((volatile SPACE atomic_int*)p, 1, order, SCOPE) != 0;          \
  }                                                                                                \
  BUILTIN bool atomic_flag_test_and_set_explicit(volatile SPACE atomic_flag* p,                    \
                                                 memory_order order) {                             \
    return __opencl_atomic_exchange((volatile SPACE atomic_int*)p, 1, order, SCOPE) != 0;          \
  }                                                                                                \
  BUILTIN bool atomic_flag_test_and_set(volatile SPACE atomic_flag* p) {                           \
    return __opencl_atomic_exchange((volatile SPACE atomic_int*)p, 1, memory_order_seq_cst,        \
                                    SCOPE) != 0;                                                   \
  }                                                                                                \
  BUILTIN void atomic_flag_clear_explicit(volatile SPACE atomic_flag* p, memory_order order,       \
                                          memory_scope scope) {                                    \
    __opencl_atomic_store((volatile SPACE atomic_int*)p, 0, order, SCOPE);                         \
  }                                                                                                \
  BUILTIN void atomic_flag_clear_explicit(volatile SPACE atomic_flag* p, memory_order order) {     \
    __opencl_atomic_store((volatile SPACE atomic_int*)p, 0, order, SCOPE);                         \
  }                                                                                                \
  BUILTIN void atomic_flag_clear(volatile SPACE atomic_flag* p) {                                  \
    __opencl_atomic_store((volatile SPACE atomic_int*)p, 0, memory_order_seq_cst, SCOPE);          \
  }
#define ALL_IN_SPACE(SPACE)                                                                        \
  ANY_TYPE(SPACE, int)                                                                             \
  INTEGER(SPACE, int, int) ANY_TYPE(SPACE, uint) INTEGER(SPACE, uint, uint) ANY_TYPE(SPACE, long)  \
      INTEGER(SPACE, long, long) INTEGER(SPACE, long, ulong) ANY_TYPE(SPACE, ulong)                \
          INTEGER(SPACE, ulong, ulong) INTEGER(SPACE, ulong, long) ANY_TYPE(SPACE, float)          \
              ARITHMETIC(SPACE, float, float) ANY_TYPE(SPACE, double)                              \
                  ARITHMETIC(SPACE, double, double) FLAG(SPACE)
ALL_IN_SPACE(global)
ALL_IN_SPACE(local)
ALL_IN_SPACE(generic)

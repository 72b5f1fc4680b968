// The atomic functions of OpenCL C 2.0 and later. The order is nearly always known where the
// function is called, and the choice between the orders vanishes there, as does that between
// scopes. For CPUs the scope is always the widest: to them, every scope costs the same. Other
// devices define FORM and IN_SCOPE before they include this (nvptx/atomics.cl).
#include "types.h"

#ifndef FORM
#define FORM(name) name
// OPERATION(p, ..., scope) for a pointer to `volatile SPACE atomic_T`.
#define IN_SCOPE(scope, OPERATION, SPACE, T, p, ...)                                               \
  OPERATION(p, __VA_ARGS__, memory_scope_all_svm_devices)
#endif
#define IN_DEVICE(...) IN_SCOPE(memory_scope_device, __VA_ARGS__)

#define STORE(SPACE, T, OPERAND)                                                                   \
  BUILTIN void FORM(atomic_store_explicit)(volatile SPACE atomic_##T * p, OPERAND x,               \
                                           memory_order order, memory_scope scope) {               \
    IN_SCOPE(scope, __opencl_atomic_store, SPACE, T, p, *(private T*)&x, order);                   \
  }                                                                                                \
  BUILTIN void FORM(atomic_store_explicit)(volatile SPACE atomic_##T * p, OPERAND x,               \
                                           memory_order order) {                                   \
    IN_DEVICE(__opencl_atomic_store, SPACE, T, p, *(private T*)&x, order);                         \
  }                                                                                                \
  BUILTIN void FORM(atomic_store)(volatile SPACE atomic_##T * p, OPERAND x) {                      \
    IN_DEVICE(__opencl_atomic_store, SPACE, T, p, *(private T*)&x, memory_order_seq_cst);          \
  }

#define LOAD_STORE(SPACE, T)                                                                       \
  BUILTIN void FORM(atomic_init)(volatile SPACE atomic_##T * p, T x) {                             \
    __opencl_atomic_init(p, x);                                                                    \
  }                                                                                                \
  BUILTIN T FORM(atomic_load_explicit)(volatile SPACE atomic_##T * p, memory_order order,          \
                                       memory_scope scope) {                                       \
    return IN_SCOPE(scope, __opencl_atomic_load, SPACE, T, p, order);                              \
  }                                                                                                \
  BUILTIN T FORM(atomic_load_explicit)(volatile SPACE atomic_##T * p, memory_order order) {        \
    return IN_DEVICE(__opencl_atomic_load, SPACE, T, p, order);                                    \
  }                                                                                                \
  BUILTIN T FORM(atomic_load)(volatile SPACE atomic_##T * p) {                                     \
    return IN_DEVICE(__opencl_atomic_load, SPACE, T, p, memory_order_seq_cst);                     \
  }                                                                                                \
  STORE(SPACE, T, T)

#define READ_MODIFY_WRITE(NAME, SPACE, T, OPERAND)                                                 \
  BUILTIN T FORM(atomic_##NAME##_explicit)(volatile SPACE atomic_##T * p, OPERAND x,               \
                                           memory_order order, memory_scope scope) {               \
    return IN_SCOPE(scope, __opencl_atomic_##NAME, SPACE, T, p, (T)x, order);                      \
  }                                                                                                \
  BUILTIN T FORM(atomic_##NAME##_explicit)(volatile SPACE atomic_##T * p, OPERAND x,               \
                                           memory_order order) {                                   \
    return IN_DEVICE(__opencl_atomic_##NAME, SPACE, T, p, (T)x, order);                            \
  }                                                                                                \
  BUILTIN T FORM(atomic_##NAME)(volatile SPACE atomic_##T * p, OPERAND x) {                        \
    return IN_DEVICE(__opencl_atomic_##NAME, SPACE, T, p, (T)x, memory_order_seq_cst);             \
  }

// Success may need a stronger order than failure; the stronger one for both is always right, and
// costs nothing on a CPU.
#define COMPARE_EXCHANGE(STRENGTH, SPACE, EXPECTED_SPACE, T)                                       \
  BUILTIN bool FORM(atomic_compare_exchange_##STRENGTH##_explicit)(                                \
      volatile SPACE atomic_##T * p, EXPECTED_SPACE T * expected, T x, memory_order success,       \
      memory_order failure, memory_scope scope) {                                                  \
  private                                                                                          \
    T found = *expected;                                                                           \
    bool exchanged = IN_SCOPE(scope, __opencl_atomic_compare_exchange_##STRENGTH, SPACE, T, p,     \
                              &found, x, memory_order_seq_cst, memory_order_seq_cst);              \
    if (!exchanged)                                                                                \
      *expected = found;                                                                           \
    return exchanged;                                                                              \
  }                                                                                                \
  BUILTIN bool FORM(atomic_compare_exchange_##STRENGTH##_explicit)(                                \
      volatile SPACE atomic_##T * p, EXPECTED_SPACE T * expected, T x, memory_order success,       \
      memory_order failure) {                                                                      \
    return FORM(atomic_compare_exchange_##STRENGTH##_explicit)(p, expected, x, success, failure,   \
                                                               memory_scope_device);               \
  }                                                                                                \
  BUILTIN bool FORM(atomic_compare_exchange_##STRENGTH)(volatile SPACE atomic_##T * p,             \
                                                        EXPECTED_SPACE T * expected, T x) {        \
    return FORM(atomic_compare_exchange_##STRENGTH##_explicit)(                                    \
        p, expected, x, memory_order_seq_cst, memory_order_seq_cst, memory_scope_device);          \
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

// Of half LLVM would call fminf where the processor has no such numbers.
#define FETCH_BEST(NAME, SPACE, T, IS_BETTER)                                                      \
  BUILTIN T FORM(atomic_fetch_##NAME##_explicit)(volatile SPACE atomic_##T * p, T x,               \
                                                 memory_order order, memory_scope scope) {         \
  private                                                                                          \
    T found = IN_SCOPE(scope, __opencl_atomic_load, SPACE, T, p, memory_order_relaxed);            \
    while (!IN_SCOPE(scope, __opencl_atomic_compare_exchange_weak, SPACE, T, p, &found,            \
                     (x IS_BETTER found || found != found ? x : found), memory_order_seq_cst,      \
                     memory_order_seq_cst)) {                                                      \
    }                                                                                              \
    return found;                                                                                  \
  }                                                                                                \
  BUILTIN T FORM(atomic_fetch_##NAME##_explicit)(volatile SPACE atomic_##T * p, T x,               \
                                                 memory_order order) {                             \
    return FORM(atomic_fetch_##NAME##_explicit)(p, x, order, memory_scope_device);                 \
  }                                                                                                \
  BUILTIN T FORM(atomic_fetch_##NAME)(volatile SPACE atomic_##T * p, T x) {                        \
    return FORM(atomic_fetch_##NAME##_explicit)(p, x, memory_order_seq_cst, memory_scope_device);  \
  }

#define SUMS(SPACE, T, OPERAND)                                                                    \
  READ_MODIFY_WRITE(fetch_add, SPACE, T, OPERAND)                                                  \
  READ_MODIFY_WRITE(fetch_sub, SPACE, T, OPERAND)
#define ARITHMETIC(SPACE, T, OPERAND)                                                              \
  SUMS(SPACE, T, OPERAND)                                                                          \
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
  BUILTIN bool FORM(atomic_flag_test_and_set_explicit)(volatile SPACE atomic_flag * p,             \
                                                       memory_order order, memory_scope scope) {   \
    return IN_SCOPE(scope, __opencl_atomic_exchange, SPACE, int, (volatile SPACE atomic_int*)p, 1, \
                    order) != 0;                                                                   \
  }                                                                                                \
  BUILTIN bool FORM(atomic_flag_test_and_set_explicit)(volatile SPACE atomic_flag * p,             \
                                                       memory_order order) {                       \
    return IN_DEVICE(__opencl_atomic_exchange, SPACE, int, (volatile SPACE atomic_int*)p, 1,       \
                     order) != 0;                                                                  \
  }                                                                                                \
  BUILTIN bool FORM(atomic_flag_test_and_set)(volatile SPACE atomic_flag * p) {                    \
    return IN_DEVICE(__opencl_atomic_exchange, SPACE, int, (volatile SPACE atomic_int*)p, 1,       \
                     memory_order_seq_cst) != 0;                                                   \
  }                                                                                                \
  BUILTIN void FORM(atomic_flag_clear_explicit)(volatile SPACE atomic_flag * p,                    \
                                                memory_order order, memory_scope scope) {          \
    IN_SCOPE(scope, __opencl_atomic_store, SPACE, int, (volatile SPACE atomic_int*)p, 0, order);   \
  }                                                                                                \
  BUILTIN void FORM(atomic_flag_clear_explicit)(volatile SPACE atomic_flag * p,                    \
                                                memory_order order) {                              \
    IN_DEVICE(__opencl_atomic_store, SPACE, int, (volatile SPACE atomic_int*)p, 0, order);         \
  }                                                                                                \
  BUILTIN void FORM(atomic_flag_clear)(volatile SPACE atomic_flag * p) {                           \
    IN_DEVICE(__opencl_atomic_store, SPACE, int, (volatile SPACE atomic_int*)p, 0,                 \
              memory_order_seq_cst);                                                               \
  }
// Clang 22's table of built-in functions has the atomic type for a half that is stored.
// clang-format off
#define ALL_IN_SPACE(SPACE)                                                                        \
  ANY_TYPE(SPACE, int)                                                                             \
  INTEGER(SPACE, int, int)                                                                         \
  ANY_TYPE(SPACE, uint)                                                                            \
  INTEGER(SPACE, uint, uint)                                                                       \
  ANY_TYPE(SPACE, long)                                                                            \
  INTEGER(SPACE, long, long)                                                                       \
  INTEGER(SPACE, long, ulong)                                                                      \
  ANY_TYPE(SPACE, ulong)                                                                           \
  INTEGER(SPACE, ulong, ulong)                                                                     \
  INTEGER(SPACE, ulong, long)                                                                      \
  LOAD_STORE(SPACE, half)                                                                          \
  STORE(SPACE, half, atomic_half)                                                                  \
  READ_MODIFY_WRITE(exchange, SPACE, half, half)                                                   \
  SUMS(SPACE, half, half)                                                                          \
  FETCH_BEST(min, SPACE, half, <)                                                                  \
  FETCH_BEST(max, SPACE, half, >)                                                                  \
  ANY_TYPE(SPACE, float)                                                                           \
  ARITHMETIC(SPACE, float, float)                                                                  \
  ANY_TYPE(SPACE, double)                                                                          \
  ARITHMETIC(SPACE, double, double)                                                                \
  FLAG(SPACE)
// clang-format on
ALL_IN_SPACE(global)
ALL_IN_SPACE(local)
ALL_IN_SPACE(generic)

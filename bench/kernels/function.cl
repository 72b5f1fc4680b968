// One built-in function, FUNCTION, of each element; of two arrays where BINARY is defined.

kernel void apply(global const TYPE* a, global const TYPE* b, global TYPE* result) {
  const size_t i = get_global_id(0);
#ifdef BINARY
  result[i] = FUNCTION(a[i], b[i]);
#else
  result[i] = FUNCTION(a[i]);
#endif
}

#include "common.cuh"

KERNEL multiply_rows(const int* row_starts, const int* columns, const float* values,
                     const float* vector, float* result) {
  const uint row = globalId();
  const int end = row_starts[row + 1];
  float sum = 0;
  for (int i = row_starts[row]; i < end; ++i)
    sum += values[i] * vector[columns[i]];
  result[row] = sum;
}

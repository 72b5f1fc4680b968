// A sparse matrix times a vector, one row for each work-item; compressed sparse rows.

kernel void multiply_rows(global const int* row_starts, global const int* columns,
                          global const float* values, global const float* vector,
                          global float* result) {
  const size_t row = get_global_id(0);
  const int end = row_starts[row + 1];
  float sum = 0;
  for (int i = row_starts[row]; i < end; ++i)
    sum += values[i] * vector[columns[i]];
  result[row] = sum;
}

// Small tasks, each run by a single work-item, and one kernel that is worth many.

kernel void store(global int* cell, int value) {
  *cell = value;
}

kernel void add_to(global int* cell, int value) {
  *cell += value;
}

kernel void sum_cells(global const int* cells, int count, global int* sum) {
  int total = 0;
  for (int i = 0; i < count; ++i)
    total += cells[i];
  *sum = total;
}

kernel void combine(global const int* left, global const int* right, global int* result) {
  *result = 1000 * *left + *right;
}

kernel void square_all(global int* values) {
  size_t i = get_global_id(0);
  values[i] = values[i] * values[i];
}

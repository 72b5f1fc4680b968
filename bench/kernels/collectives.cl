// Collective functions of work-groups, SIZE work-items each, on integers: one for each number.

kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void
sum(global const int* in, global int* out) {
  out[get_global_id(0)] = work_group_reduce_add(in[get_global_id(0)]);
}

kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void
scan(global const int* in, global int* out) {
  out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)]);
}

kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void
broadcast(global const int* in, global int* out) {
  const int own = in[get_global_id(0)];
  out[get_global_id(0)] = own - work_group_broadcast(own, SIZE / 3);
}

kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void
find_any(global const int* in, global int* out) {
  out[get_global_id(0)] = work_group_any(in[get_global_id(0)] == 0);
}

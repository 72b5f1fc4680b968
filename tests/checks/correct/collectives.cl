// global 64 local 16 args buffer:256
kernel void collectives(global int* out) {
  const size_t i = get_global_id(0);
  out[i] = work_group_scan_inclusive_add((int)i) + work_group_any(i == 3);
}

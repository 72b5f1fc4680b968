// global 64 local 16 args buffer:256
kernel void branch_on_unwritten(global int* out) {
  const size_t i = get_global_id(0);
  int x;
  out[i] = 1;
  if (x > 0)  // fault: uninitialised-branch
    out[i] = 2;
}

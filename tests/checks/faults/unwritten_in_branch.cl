// global 64 local 16 args unwritten:256 buffer:256
kernel void unwritten_in_branch(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  if (in[i] > 3)  // fault: uninitialised-branch
    out[i] = 1;
}

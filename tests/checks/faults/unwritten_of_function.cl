// global 64 local 16 args buffer:256 int:0
int find(int n) {
  int x;
  if (n)
    x = 1;
  return x;
}
kernel void unwritten_of_function(global int* out, int n) {
  const size_t i = get_global_id(0);
  out[i] = find(n);  // fault: uninitialised-store
}

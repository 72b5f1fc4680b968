// global 64 local 16 args buffer:768
struct triple {
  int a, b, c;
};
kernel void structures(global struct triple* out) {
  const size_t i = get_global_id(0);
  struct triple t = {1, 2, 3};
  struct triple s;
  s = t;
  s.b = (int)i;
  out[i] = s;
}

// global 64 local 16 args buffer:256
void swap(int* p, int* q) {
  const int t = *p;
  *p = *q;
  *q = t;
}
kernel void pointers_of_functions(global int* out) {
  const size_t i = get_global_id(0);
  int a = 1, b = 2;
  swap(&a, &b);
  out[i] = a * 10 + b;
}

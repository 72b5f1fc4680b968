// global 4 local 4 args buffer:16
struct named {
  int number;
  char letters[2];
};
kernel void member_array_end(global char* out) {
  struct named s = {1, {2, 3}};
  const size_t i = get_global_id(0);
  out[i] = s.letters[i];  // fault: out-of-bounds-read
}

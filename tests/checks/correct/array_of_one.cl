// global 16 local 16 args buffer:256 buffer:64
// More elements follow than the array has.
struct head {
  int count;
  int first[1];
};
kernel void array_of_one(global struct head* list, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = list->first[i + 4];
}

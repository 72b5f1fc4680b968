// global 4096 local 16 args buffer:16384
// Each work-item has a part of local memory for itself, which the next work-group has anew, without a barrier anywhere.
kernel void local_without_barrier(global int* out) {
  local int4 parts[16];
  local int4* part = &parts[get_local_id(0)];
  *part = (int4)(0, 1, 2, 3);
  for (int i = 0; i < 4; ++i)
    *part += (int4)(i);
  out[get_global_id(0)] = part->x + part->w;
}

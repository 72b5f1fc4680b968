// The loads and stores of a large transform, as those of FFTs. With its vectors whole its code is too large for what it gains over one
// work-item after the other; that with vectors taken apart waits less and is worthwhile, but costs more than the other.
#define PART(J)                                                                                    \
  {                                                                                                \
    const uint c = first + 192 * J, x = c % 264, y = c / 264 * 2 + get_group_id(0) * 16;           \
    if (y < 264)                                                                                   \
      tile[x * 9 + c / 264] = (float2)(in[x + y * 266], in[x + y * 266 + 266]);                    \
  }

__attribute__((reqd_work_group_size(8, 24, 1))) kernel void k(global const float* in, global float2* out) {
  local float2 tile[264 * 9];
  const uint first = 8 * get_local_id(1) + get_local_id(0);
  PART(0) PART(1) PART(2) PART(3) PART(4) PART(5) PART(6) PART(7) PART(8) PART(9) PART(10)
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = 0; j < 11; ++j)
    out[get_group_id(0) * 2376 + first + 192 * j] = tile[first + 192 * j];
}

// A step of the heat in a rod of get_global_size(0) cells, whose ends lose nothing. The cell in the
// middle is heated.
kernel void step(global const float* before, global float* after, float heat) {
  const int cell = (int)get_global_id(0), last = (int)get_global_size(0) - 1;
  const float here = before[cell];
  const float left = before[max(cell - 1, 0)], right = before[min(cell + 1, last)];
  after[cell] = here + 0.25f * (left - 2 * here + right) + (cell == last / 2 ? heat : 0);
}

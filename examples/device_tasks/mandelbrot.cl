// The Mandelbrot set, found by its squares: where a whole border has one value the inside has it,
// too. Other squares are divided in four, down to those that are computed in full.
#pragma OPENCL FP_CONTRACT OFF // the host rounds every operation

#define SMALL 32

struct view {
  float left, top, step; // of the picture's first point, and between points
  int limit;
  uint columns;
};

int iterations(constant struct view* view, uint column, uint row) {
  const float a = view->left + view->step * (float)column;
  const float b = view->top + view->step * (float)row;
  const int limit = view->limit;
  float x = a, y = b;
  int count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + a;
    y = 2.0f * x * y + b;
    x = next;
    ++count;
  }
  return count;
}

kernel void every_point(global int* picture, constant struct view* view) {
  const uint column = get_global_id(0), row = get_global_id(1);
  picture[row * view->columns + column] = iterations(view, column, row);
}

// Point i of the border of a square, clockwise.
uint2 border_point(uint side, uint i) {
  const uint last = side - 1, along = i % last;
  switch (i / last) {
  case 0:
    return (uint2)(along, 0);
  case 1:
    return (uint2)(last, along);
  case 2:
    return (uint2)(last - along, last);
  default:
    return (uint2)(0, last - along);
  }
}

// A work-group's part of a square (column, row, side). True where its quarters have to be explored.
// Counts the points that were iterated, for all work-groups: nothing is ordered by that number, so
// the operation need not order anything.
bool explore(global int* picture, constant struct view* view, uint3 square,
             global atomic_uint* iterated) {
  const uint items = get_local_size(0), item = get_local_id(0), side = square.z;
  const bool isSmall = side <= SMALL;
  const uint points = isSmall ? side * side : 4 * (side - 1);
  if (item == 0)
    atomic_fetch_add_explicit(iterated, points, memory_order_relaxed, memory_scope_device);
  const int first = iterations(view, square.x, square.y);
  bool same = true;
  for (uint i = item; i < points; i += items) {
    const uint2 point = isSmall ? (uint2)(i % side, i / side) : border_point(side, i);
    const int count = iterations(view, square.x + point.x, square.y + point.y);
    picture[(square.y + point.y) * view->columns + square.x + point.x] = count;
    same &= count == first;
  }
  const bool isUniform = work_group_all(same);
  if (isSmall || !isUniform)
    return !isSmall;
  const uint inside = side - 2;
  for (uint i = item; i < inside * inside; i += items)
    picture[(square.y + 1 + i / inside) * view->columns + square.x + 1 + i % inside] = first;
  return false;
}

uint3 quarter_of(uint3 square, uint i) {
  const uint half_ = square.z / 2;
  return (uint3)(square.x + i % 2 * half_, square.y + i / 2 * half_, half_);
}

// For the host, which enqueues a kernel for each size of squares: the squares come through a pipe,
// and those to explore next go into another one.
kernel void first_square(write_only pipe uint4 squares, uint side) {
  const uint4 square = (uint4)(0, 0, side, 0);
  write_pipe(squares, &square);
}
kernel void explore_squares(read_only pipe uint4 squares, write_only pipe uint4 quarters,
                            global int* picture, constant struct view* view,
                            global atomic_uint* iterated) {
  local uint4 square;
  local int found;
  for (;;) {
    if (get_local_id(0) == 0) {
      uint4 packet;
      found = read_pipe(squares, &packet) == 0;
      square = packet;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!found)
      return;
    const uint3 mine = square.xyz;
    const bool goesOn = explore(picture, view, mine, iterated);
    if (goesOn && get_local_id(0) < 4) {
      const uint4 quarter = (uint4)(quarter_of(mine, get_local_id(0)), 0);
      write_pipe(quarters, &quarter);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#ifdef __opencl_c_device_enqueue
// A work-group that has to go on enqueues one for each quarter.
void explore_all(global int* picture, constant struct view* view, uint column, uint row, uint side,
                 global atomic_uint* iterated) {
  if (!explore(picture, view, (uint3)(column, row, side), iterated) || get_local_id(0) != 0)
    return;
  const size_t items = get_local_size(0);
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP,
                 ndrange_1D(4 * items, items), ^{
                   const uint3 quarter = quarter_of((uint3)(column, row, side), get_group_id(0));
                   explore_all(picture, view, quarter.x, quarter.y, quarter.z, iterated);
                 });
}

kernel void explore_from(global int* picture, constant struct view* view, uint side,
                         global atomic_uint* iterated) {
  explore_all(picture, view, 0, 0, side, iterated);
}
#endif

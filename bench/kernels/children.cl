// Kernels that enqueue kernels, each of one work-group that writes a row of SIZE numbers.

void write_row(global uint* rows, uint row) {
  rows[row * SIZE + get_local_id(0)] = row;
}

// One kernel enqueues all.
kernel void side_by_side(queue_t queue, global uint* rows, uint count) {
  for (uint row = 0; row < count; ++row)
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(SIZE, SIZE), ^{
      write_row(rows, row);
    });
}

// One kernel enqueues all, and each waits for the one before it.
kernel void in_order(queue_t queue, global uint* rows, uint count) {
  clk_event_t before;
  for (uint row = 0; row < count; ++row) {
    clk_event_t event;
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(SIZE, SIZE), row != 0,
                   row != 0 ? &before : 0, &event, ^{
                     write_row(rows, row);
                   });
    if (row != 0)
      release_event(before);
    before = event;
  }
  release_event(before);
}

// Each enqueues the next one.
void write_from(queue_t queue, global uint* rows, uint row, uint count) {
  write_row(rows, row);
  if (get_local_id(0) == 0 && row + 1 < count)
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(SIZE, SIZE), ^{
      write_from(queue, rows, row + 1, count);
    });
}
kernel void nested(queue_t queue, global uint* rows, uint count) {
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(SIZE, SIZE), ^{
    write_from(queue, rows, 0, count);
  });
}

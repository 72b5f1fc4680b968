// Packets of 4 bytes through a pipe.

// Each work-item for itself.
kernel void write_items(write_only pipe uint out) {
  const uint packet = get_global_id(0);
  write_pipe(out, &packet);
}
kernel void read_items(read_only pipe uint in, global uint* packets) {
  uint packet;
  if (read_pipe(in, &packet) == 0)
    packets[get_global_id(0)] = packet;
}

// A reservation for each work-group.
kernel void write_groups(write_only pipe uint out) {
  const uint packet = get_global_id(0);
  const reserve_id_t id = work_group_reserve_write_pipe(out, get_local_size(0));
  if (is_valid_reserve_id(id)) {
    write_pipe(out, id, get_local_id(0), &packet);
    work_group_commit_write_pipe(out, id);
  }
}
kernel void read_groups(read_only pipe uint in, global uint* packets) {
  const reserve_id_t id = work_group_reserve_read_pipe(in, get_local_size(0));
  if (is_valid_reserve_id(id)) {
    uint packet;
    read_pipe(in, id, get_local_id(0), &packet);
    work_group_commit_read_pipe(in, id);
    packets[get_global_id(0)] = packet;
  }
}

// Which numbers are prime, in two stages: the first one lets through what has no small divisor, the
// second one looks for large ones.

bool may_be_prime(uint n) {
  return n % 2 != 0 && n % 3 != 0 && n % 5 != 0 && n % 7 != 0;
}

bool has_no_divisor(uint n) {
  for (uint divisor = 11; divisor * divisor <= n; divisor += 2)
    if (n % divisor == 0)
      return false;
  return true;
}

// Without a pipe: who has got a number that is not let through has nothing to do.
kernel void both_stages(global uchar* is_prime, uint first) {
  const uint n = first + get_global_id(0);
  is_prime[n] = may_be_prime(n) && has_no_divisor(n);
}

// Each work-item sends a packet for itself, and takes packets until there are none.
kernel void sift(write_only pipe uint candidates, uint first) {
  const uint n = first + get_global_id(0);
  if (may_be_prime(n))
    write_pipe(candidates, &n);
}
kernel void test(read_only pipe uint candidates, global uchar* is_prime) {
  uint n;
  while (read_pipe(candidates, &n) == 0)
    is_prime[n] = has_no_divisor(n);
}

// A work-group makes one reservation for all its packets.
kernel void sift_groups(write_only pipe uint candidates, uint first) {
  const uint n = first + get_global_id(0);
  const uint is_sent = may_be_prime(n);
  const uint index = work_group_scan_exclusive_add(is_sent);
  const uint count = work_group_reduce_add(is_sent);
  if (count == 0)
    return;
  const reserve_id_t places = work_group_reserve_write_pipe(candidates, count);
  if (!is_valid_reserve_id(places))
    return;
  if (is_sent)
    write_pipe(candidates, places, index, &n);
  work_group_commit_write_pipe(candidates, places);
}
kernel void test_groups(read_only pipe uint candidates, global uchar* is_prime) {
  const uint most = get_local_size(0), item = get_local_id(0);
  for (;;) {
    // Others may take packets after they have been counted: then there are fewer than that.
    const uint count = work_group_broadcast(min(get_pipe_num_packets(candidates), most), 0);
    if (count == 0)
      return;
    const reserve_id_t places = work_group_reserve_read_pipe(candidates, count);
    if (!is_valid_reserve_id(places))
      continue;
    uint n = 0;
    if (item < count)
      read_pipe(candidates, places, item, &n);
    work_group_commit_read_pipe(candidates, places);
    if (item < count)
      is_prime[n] = has_no_divisor(n);
  }
}

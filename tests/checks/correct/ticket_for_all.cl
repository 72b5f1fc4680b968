// global 64 local 16 args buffer:8 buffer:512
kernel void ticket_for_all(global atomic_int* tickets, global int* out) {
  const size_t g = get_global_id(0);
  int ofSubGroup, ofGroup;
  if (get_sub_group_local_id() == 0)
    ofSubGroup = atomic_fetch_add(&tickets[0], 1);
  ofSubGroup = sub_group_broadcast(ofSubGroup, 0);
  if (get_local_id(0) == 0)
    ofGroup = atomic_fetch_add(&tickets[1], 1);
  out[g] = ofSubGroup;
  out[get_global_size(0) + g] = work_group_broadcast(ofGroup, 0);
}

// global 16 local 16 args buffer:64
kernel void event_of_no_copy(global int* out) {
  event_t e = 0;
  wait_group_events(1, &e);  // fault: unknown-event
  out[get_global_id(0)] = 1;
}

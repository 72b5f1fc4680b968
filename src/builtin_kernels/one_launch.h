// How one launch does work of many steps, whatever its work-groups are and in whichever order they
// run: work comes in tickets, numbered in an order in which each needs only what earlier ones made.
// A work-group takes the next ticket when it has done one, and may wait for earlier tickets: those
// are done, or held by work-groups that run. So no work-group needs another one to run beside it.
//
// What the work-groups share is at the start of `scratch`, all zero before a launch and again
// behind it.
#ifndef QUERN_ONE_LAUNCH_H
#define QUERN_ONE_LAUNCH_H

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define JOIN3(a, b, c) JOIN(JOIN(a, b), c)

// One work-item of a CPU's work-group would wait for the others; it works in vectors by itself.
#ifdef ON_GPU
#define GROUP(items) __attribute__((reqd_work_group_size(items, 1, 1)))
#else
#define GROUP(items) __attribute__((reqd_work_group_size(1, 1, 1)))
#endif

#define PHASES 9
struct schedule {
  atomic_uint next;         // ticket
  atomic_uint left;         // work-groups that take no more tickets
  atomic_uint done[PHASES]; // tickets of each phase
};
// Bytes of `scratch` that are zero between launches.
#define ZERO_BYTES 32768

// The next ticket, for the whole work-group; `shared` is its own.
uint take_ticket(global struct schedule* schedule, local uint* shared) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    *shared =
        atomic_fetch_add_explicit(&schedule->next, 1, memory_order_relaxed, memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  return *shared;
}

// The work-group has done a ticket of `phase`: what it wrote can be seen by those who wait for it.
void end_ticket(global struct schedule* schedule, uint phase) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_fetch_add_explicit(&schedule->done[phase], 1, memory_order_release, memory_scope_device);
}

void wait_for_phase(global struct schedule* schedule, uint phase, uint tickets) {
  if (get_local_id(0) == 0)
    while (atomic_load_explicit(&schedule->done[phase], memory_order_acquire, memory_scope_device) <
           tickets)
      ;
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// The work-group takes no more tickets. True for the last one, to which everything that the others
// wrote is visible; the schedule is as before the launch then.
bool leave_last(global struct schedule* schedule, local uint* shared) {
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    *shared =
        atomic_fetch_add_explicit(&schedule->left, 1, memory_order_acq_rel, memory_scope_device);
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  if (*shared + 1 != get_num_groups(0))
    return false;
  if (get_local_id(0) == 0) {
    atomic_store_explicit(&schedule->next, 0, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(&schedule->left, 0, memory_order_relaxed, memory_scope_device);
    for (uint i = 0; i < PHASES; ++i)
      atomic_store_explicit(&schedule->done[i], 0, memory_order_relaxed, memory_scope_device);
  }
  return true;
}

#endif

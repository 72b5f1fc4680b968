// What a launch itself costs, with no more work than it takes to show that there was one.

kernel void count(global uint* launches) { ++launches[get_global_id(0)]; }

// Launches with different arguments.
kernel void add(global uint* sums, uint value) { sums[get_global_id(0)] += value; }

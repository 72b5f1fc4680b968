// What the two processes do with the numbers that they share.

// The producer's: numbers that depend on the round, so that a round that is missed or seen twice
// shows in the sums.
kernel void produce(global uint* numbers, uint round) {
  size_t i = get_global_id(0);
  numbers[i] = (uint)i * 2654435761u + round * round;
}

// The consumer's.
kernel void consume(global const uint* numbers, global uint* sums, uint first) {
  size_t i = get_global_id(0);
  sums[i] = numbers[i] + (first ? 0 : sums[i]);
}

#include "common.cuh"

KERNEL count(uint* launches) {
  ++launches[globalId()];
}
KERNEL add(uint* sums, uint value) {
  sums[globalId()] += value;
}

#include "common.cuh"

KERNEL empty() {}

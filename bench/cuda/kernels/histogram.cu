#include "common.cuh"

KERNEL count_rows(const int* values, uint count, uint* rows, uint bins) {
  uint* mine = rows + globalId() * bins;
  for (uint i = globalId(); i < count; i += globalSize())
    mine[values[i]]++;
}

KERNEL merge_rows(const uint* rows, uint rowCount, uint* histogram, uint bins) {
  uint bin = globalId();
  if (bin >= bins)
    return;
  uint sum = 0;
  for (uint row = 0; row < rowCount; ++row)
    sum += rows[row * bins + bin];
  histogram[bin] = sum;
}

KERNEL count_atomic(const int* values, uint count, uint* histogram) {
  for (uint i = globalId(); i < count; i += globalSize())
    atomicAdd(&histogram[values[i]], 1u);
}

KERNEL count_local_atomic(const int* values, uint count, uint* histogram, uint bins,
                          uint countsOffset) {
  uint* counts = sharedAt<uint>(countsOffset);
  for (uint bin = threadIdx.x; bin < bins; bin += blockDim.x)
    counts[bin] = 0;
  __syncthreads();
  for (uint i = globalId(); i < count; i += globalSize())
    atomicAdd(&counts[values[i]], 1u);
  __syncthreads();
  for (uint bin = threadIdx.x; bin < bins; bin += blockDim.x)
    atomicAdd(&histogram[bin], counts[bin]);
}

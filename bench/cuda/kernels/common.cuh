// What the kernels in CUDA C++ share. Each file has the kernels of the OpenCL C file of its name, with
// the same parameters; a local argument is here where it begins in the dynamic shared memory.
#pragma once

#define KERNEL extern "C" __global__ void
#define INFINITE __int_as_float(0x7f800000)

typedef unsigned uint;

extern __shared__ float4 dynamicMemory[];

template <typename T> __device__ T* sharedAt(uint offset) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(dynamicMemory) + offset);
}
__device__ inline uint globalId() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ inline uint globalSize() {
  return gridDim.x * blockDim.x;
}

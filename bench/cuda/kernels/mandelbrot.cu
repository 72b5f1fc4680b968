#include "common.cuh"

KERNEL mandelbrot(int* iterations, float left, float top, float step, int limit) {
  const uint column = globalId(), row = blockIdx.y * blockDim.y + threadIdx.y;
  const float a = left + step * (float)column;
  const float b = top + step * (float)row;
  float x = a, y = b;
  int count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + a;
    y = 2.0f * x * y + b;
    x = next;
    ++count;
  }
  iterations[row * globalSize() + column] = count;
}

#include "common.cuh"

__device__ float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.319381530f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * expf(-0.5f * d * d) * polynomial;
  return d > 0 ? 1.0f - tail : tail;
}

KERNEL black_scholes(const float* price, const float* strike, const float* years, float* call,
                     float* put, float rate, float volatility) {
  const uint i = globalId();
  const float root = sqrtf(years[i]);
  const float d1 =
      (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
      (volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = normal_distribution(d1);
  const float n2 = normal_distribution(d2);
  const float discounted = strike[i] * expf(-rate * years[i]);
  call[i] = price[i] * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - price[i] * (1.0f - n1);
}

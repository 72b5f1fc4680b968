#include "host.h"
#include "team.h"

namespace quern::bench::host {
namespace {

template <typename T, typename Operation>
void elementwise(const T* a, const T* b, T* c, size_t count, Operation operation) {
  parallel(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      c[i] = operation(a[i], b[i]);
  });
}

} // namespace

void addFloat(const float* a, const float* b, float* c, size_t count) {
  elementwise(a, b, c, count, [](float x, float y) { return x + y; });
}

void multiplyFloat(const float* a, const float* b, float* c, size_t count) {
  elementwise(a, b, c, count, [](float x, float y) { return x * y; });
}

void addInt(const int32_t* a, const int32_t* b, int32_t* c, size_t count) {
  elementwise(a, b, c, count, [](int32_t x, int32_t y) { return x + y; });
}

void multiplyInt(const int32_t* a, const int32_t* b, int32_t* c, size_t count) {
  elementwise(a, b, c, count, [](int32_t x, int32_t y) { return x * y; });
}

} // namespace quern::bench::host

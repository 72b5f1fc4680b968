#include "elementwise.h"
#include "host.h"

namespace quern::bench::host {

void addFloat(const float* a, const float* b, float* c, size_t count) {
  elementwise(a, b, c, count, [](auto x, auto y) { return x + y; });
}

void multiplyFloat(const float* a, const float* b, float* c, size_t count) {
  elementwise(a, b, c, count, [](auto x, auto y) { return x * y; });
}

void addInt(const int32_t* a, const int32_t* b, int32_t* c, size_t count) {
  elementwise(a, b, c, count, [](auto x, auto y) { return x + y; });
}

void multiplyInt(const int32_t* a, const int32_t* b, int32_t* c, size_t count) {
  elementwise(a, b, c, count, [](auto x, auto y) { return x * y; });
}

} // namespace quern::bench::host

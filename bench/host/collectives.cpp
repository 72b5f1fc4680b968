#include "host.h"
#include "team.h"
#include "vectors.h"

namespace quern::bench::host {
namespace {

/// Each element's place is taken by the one `distance` before it; zeros come in.
template <size_t distance> Vector<int32_t> moved(Vector<int32_t> values) {
  constexpr auto order = [] {
    std::array<int32_t, lanes<int32_t>> from = {};
    for (size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<int32_t>(i + from.size() - distance);
    return from;
  }();
  return picked<int32_t>(Vector<int32_t>{}, values, order);
}

/// Sums up to each element of a vector, by doubling.
template <size_t distance = 1> Vector<int32_t> scanned(Vector<int32_t> values) {
  if constexpr (distance == lanes<int32_t>)
    return values;
  else
    return scanned<2 * distance>(values + moved<distance>(values));
}

void scan(const int32_t* in, int32_t* out, size_t count) {
  int32_t sum = 0;
  size_t i = 0;
  for (; i + lanes<int32_t> <= count; i += lanes<int32_t>) {
    const Vector<int32_t> sums = scanned(load(in + i)) + sum;
    store(out + i, sums);
    sum = sums[lanes<int32_t> - 1];
  }
  for (; i < count; ++i)
    out[i] = sum += in[i];
}

/// The elements are those that are `distance` away by the bits of their places.
template <size_t distance> Vector<int32_t> crossed(Vector<int32_t> values) {
  constexpr auto order = [] {
    std::array<int32_t, lanes<int32_t>> from = {};
    for (size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<int32_t>(i ^ distance);
    return from;
  }();
  return picked<int32_t>(values, values, order);
}

/// Each element is what `operation` makes of all.
template <size_t distance = lanes<int32_t> / 2, typename Operation>
Vector<int32_t> combined(Vector<int32_t> values, Operation operation) {
  if constexpr (distance == 0)
    return values;
  else
    return combined<distance / 2>(operation(values, crossed<distance>(values)), operation);
}

/// Sets all of a group to what `operation`, of which 0 is the neutral element, makes of all the
/// values that valueOf gives for its elements.
template <typename ValueOf, typename Operation>
void reduce(const int32_t* in, int32_t* out, size_t size, ValueOf valueOf, Operation operation) {
  Vector<int32_t> values = {};
  size_t i = 0;
  for (; i + lanes<int32_t> <= size; i += lanes<int32_t>)
    values = operation(values, valueOf(load(in + i)));
  if (i < size) {
    Vector<int32_t> rest = {};
    for (size_t lane = 0; i + lane < size; ++lane)
      rest[lane] = valueOf(Vector<int32_t>{} + in[i + lane])[0];
    values = operation(values, rest);
  }
  const Vector<int32_t> all = combined(values, operation);
  fill(out, 0, size, false, [=](size_t) { return all; }, [=](size_t) { return all[0]; });
}

void collectGroup(Collective collective, const int32_t* in, int32_t* out, size_t size) {
  switch (collective) {
  case Collective::Reduce:
    return reduce(
        in, out, size, [](auto values) { return values; }, [](auto a, auto b) { return a + b; });
  case Collective::Scan:
    return scan(in, out, size);
  case Collective::Broadcast: {
    const int32_t other = in[size / 3];
    return fill(
        out, 0, size, false, [=](size_t i) { return load(in + i) - other; },
        [=](size_t i) { return in[i] - other; });
  }
  case Collective::Any:
    return reduce(
        in, out, size, [](auto values) { return (values == 0) & 1; },
        [](auto a, auto b) { return a | b; });
  }
}

} // namespace

void collect(Collective collective, const int32_t* in, int32_t* out, size_t count, size_t group) {
  parallel(count / group, 64, [=](size_t begin, size_t end) {
    for (size_t g = begin; g < end; ++g)
      collectGroup(collective, in + g * group, out + g * group, group);
  });
}

} // namespace quern::bench::host

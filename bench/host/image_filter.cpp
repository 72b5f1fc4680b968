#include "host.h"
#include "team.h"

#include <cmath>
#include <vector>

namespace quern::bench::host {
namespace {

typedef float Color __attribute__((vector_size(16)));
typedef uint8_t Element __attribute__((vector_size(4)));

Color colorAt(const uint8_t* element) {
  Element bytes;
  __builtin_memcpy(&bytes, element, sizeof bytes);
  return __builtin_convertvector(bytes, Color);
}

/// For each index along an axis that the filter comes to, the place of the element that stands
/// there; -1 for the border.
class Places {
public:
  /// The picture's frame, turned and 1.58 times as large, stays within one side beyond the picture.
  static constexpr int margin = 1;

  Places(int side, Addressing addressing) : side_(side), table_((2 * margin + 1) * side) {
    for (int i = 0; i < static_cast<int>(table_.size()); ++i)
      table_[i] = wrapped(i - margin * side, addressing);
  }

  int operator[](int index) const { return table_[index + margin * side_]; }

private:
  int wrapped(int index, Addressing addressing) const {
    const int turn = (index + 2 * margin * side_) % (2 * side_);
    switch (addressing) {
    case Addressing::Edge:
      return index < 0 ? 0 : index < side_ ? index : side_ - 1;
    case Addressing::Border:
      return index < 0 || index >= side_ ? -1 : index;
    case Addressing::Repeat:
      return turn % side_;
    case Addressing::Mirror:
      return turn < side_ ? turn : 2 * side_ - 1 - turn;
    }
    return -1;
  }

  int side_;
  std::vector<int> table_;
};

/// The elements along one axis that an element of the result is made of, and their weights: those
/// of the smoothing, 1 2 1, and of the linear filter about each of its three places.
template <bool isLinear> struct Taps {
  static constexpr int count = isLinear ? 4 : 3;

  explicit Taps(float place) {
    const float from = isLinear ? place - 0.5f : place;
    const float below = std::floor(from);
    first = static_cast<int>(below) - 1;
    if constexpr (isLinear) {
      const float part = from - below, rest = 1 - part;
      weights[0] = rest / 4;
      weights[1] = (2 * rest + part) / 4;
      weights[2] = (rest + 2 * part) / 4;
      weights[3] = part / 4;
    } else {
      weights[0] = weights[2] = 0.25f;
      weights[1] = 0.5f;
    }
  }

  bool isInside(int side) const { return first >= 0 && first + count <= side; }

  int first;
  float weights[count];
};

template <bool isLinear>
Color filtered(const uint8_t* picture, long side, const Places& places, float x, float y) {
  const Taps<isLinear> columns(x), rows(y);
  constexpr int count = Taps<isLinear>::count;
  Color sum = {};
  if (columns.isInside(static_cast<int>(side)) && rows.isInside(static_cast<int>(side))) {
    const uint8_t* corner = picture + 4 * (rows.first * side + columns.first);
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < count; ++i)
        sum += rows.weights[j] * columns.weights[i] * colorAt(corner + 4 * (j * side + i));
    return sum;
  }
  int across[count];
  for (int i = 0; i < count; ++i)
    across[i] = places[columns.first + i];
  for (int j = 0; j < count; ++j) {
    const int row = places[rows.first + j];
    for (int i = 0; i < count; ++i)
      if (row >= 0 && across[i] >= 0)
        sum +=
            rows.weights[j] * columns.weights[i] * colorAt(picture + 4 * (row * side + across[i]));
  }
  return sum;
}

template <bool isLinear>
void filterRows(const uint8_t* picture, uint8_t* result, long side, const Places& places) {
  const float middle = static_cast<float>(side) / 2;
  parallel(static_cast<size_t>(side), 4, [=, &places](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      for (long column = 0; column < side; ++column) {
        const float u = static_cast<float>(column) - middle, v = static_cast<float>(row) - middle;
        const Color color =
            filtered<isLinear>(picture, side, places, 1.5f * u - 0.5f * v + middle + 0.25f,
                               1.5f * v + 0.5f * u + middle + 0.25f);
        const Element element = __builtin_convertvector(color + 0.5f, Element);
        __builtin_memcpy(result + 4 * (row * static_cast<size_t>(side) + column), &element,
                         sizeof element);
      }
  });
}

} // namespace

void filterImage(const uint8_t* picture, uint8_t* result, size_t side, Addressing addressing,
                 bool isLinear) {
  const Places places(static_cast<int>(side), addressing);
  if (isLinear)
    filterRows<true>(picture, result, static_cast<long>(side), places);
  else
    filterRows<false>(picture, result, static_cast<long>(side), places);
}

} // namespace quern::bench::host

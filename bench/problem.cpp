#include "problem.h"

#include <algorithm>

namespace quern::bench {

Picture thinned(const Picture& picture, size_t most) {
  const size_t step = (std::max(picture.columns, picture.rows) + most - 1) / most;
  const size_t elementBytes = picture.numbers.size() / (picture.columns * picture.rows);
  Picture result{(picture.columns + step - 1) / step,
                 (picture.rows + step - 1) / step,
                 picture.channels,
                 picture.type,
                 {}};
  for (size_t row = 0; row < picture.rows; row += step)
    for (size_t column = 0; column < picture.columns; column += step) {
      const char* element = &picture.numbers[(row * picture.columns + column) * elementBytes];
      result.numbers.insert(result.numbers.end(), element, element + elementBytes);
    }
  return result;
}

void spoilResults(Target& target, const Variant& variant) {
  for (const auto* outputs : {&variant.outputs, &variant.intermediate})
    for (const Output& output : *outputs)
      target.spoil(output);
  if (variant.restore)
    variant.restore();
  target.queue().finish();
}

} // namespace quern::bench

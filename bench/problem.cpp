#include "problem.h"

namespace quern::bench {

void spoilResults(Target& target, const Variant& variant) {
  for (const auto* outputs : {&variant.outputs, &variant.intermediate})
    for (const Output& output : *outputs)
      target.spoil(output);
  if (variant.restore)
    variant.restore();
  target.queue().finish();
}

} // namespace quern::bench

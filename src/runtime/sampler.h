#pragma once

#include <cstdint>
#include <vector>

#include "runtime/context.h"
#include "runtime/object.h"

namespace quern::runtime {

/// How images are read. Immutable.
class Sampler final : public Object {
public:
  struct Creation {
    cl_bool normalizedCoords = CL_TRUE;
    cl_addressing_mode addressingMode = CL_ADDRESS_CLAMP;
    cl_filter_mode filterMode = CL_FILTER_NEAREST;
    /// The program's zero-terminated list or empty.
    std::vector<cl_sampler_properties> properties;
  };

  Sampler(Ref<Context> context, Creation creation)
      : Object(ObjectKind::Sampler), context_(std::move(context)), creation_(std::move(creation)) {}

  const Context* owningContext() const override { return context_.get(); }
  Context& context() const { return *context_; }
  const Creation& creation() const { return creation_; }
  /// What kernels get as the argument (abi/sampler_bits.h).
  uint64_t bits() const;

private:
  ~Sampler() override = default;

  const Ref<Context> context_;
  const Creation creation_;
};

} // namespace quern::runtime

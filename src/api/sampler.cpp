#include "api/sampler.h"

#include <limits>

#include "api/handle.h"
#include "api/image_formats.h"
#include "api/invalid.h"
#include "api/property_list.h"

namespace quern::api {

namespace {

using runtime::Context;
using runtime::Sampler;

/// A value is not valid, or the values do not go together.
Status checkValues(const Sampler::Creation& creation) {
  if (creation.normalizedCoords != CL_TRUE && creation.normalizedCoords != CL_FALSE)
    return invalidValue(sentence("normalized_coords ", creation.normalizedCoords,
                                 " is neither CL_TRUE nor CL_FALSE"));
  if (creation.addressingMode < CL_ADDRESS_NONE ||
      creation.addressingMode > CL_ADDRESS_MIRRORED_REPEAT)
    return invalidValue(
        sentence("addressing_mode ", creation.addressingMode, " is not an addressing mode"));
  if (creation.filterMode != CL_FILTER_NEAREST && creation.filterMode != CL_FILTER_LINEAR)
    return invalidValue(sentence("filter_mode ", creation.filterMode, " is not a filter mode"));
  const bool repeats = creation.addressingMode == CL_ADDRESS_REPEAT ||
                       creation.addressingMode == CL_ADDRESS_MIRRORED_REPEAT;
  if (repeats && !creation.normalizedCoords)
    return invalidValue("an image repeats only along normalized coordinates");
  return {};
}

/// Takes over the value of one property.
Status parseProperty(cl_sampler_properties name, cl_sampler_properties value,
                     Sampler::Creation& creation) {
  // The value is none of any property: all have 32 bits.
  if (value > std::numeric_limits<cl_uint>::max())
    return invalidValue(sentence("the value ", value, " of property ", name, " is not valid"));
  switch (name) {
  case CL_SAMPLER_NORMALIZED_COORDS:
    creation.normalizedCoords = static_cast<cl_bool>(value);
    return {};
  case CL_SAMPLER_ADDRESSING_MODE:
    creation.addressingMode = static_cast<cl_addressing_mode>(value);
    return {};
  case CL_SAMPLER_FILTER_MODE:
    creation.filterMode = static_cast<cl_filter_mode>(value);
    return {};
  default:
    return invalidValue(sentence("property ", name, " is not a property of a sampler"));
  }
}

Result<Ref<Sampler>> create(Context& context, Sampler::Creation creation) {
  QUERN_TRY(checkValues(creation));
  // No device has images.
  if (!hasImages(context))
    return Status::error(CL_INVALID_OPERATION, "no device of the context has images");
  return makeRef<Sampler>(Ref<Context>(&context), std::move(creation));
}

constexpr InfoRow<Sampler> samplerRows[] = {
    {CL_SAMPLER_REFERENCE_COUNT,
     [](const Sampler& sampler, InfoValue& value) { value.put<cl_uint>(sampler.apiReferences()); }},
    {CL_SAMPLER_CONTEXT,
     [](const Sampler& sampler, InfoValue& value) { value.put(toHandle(&sampler.context())); }},
    {CL_SAMPLER_NORMALIZED_COORDS,
     [](const Sampler& sampler, InfoValue& value) {
       value.put(sampler.creation().normalizedCoords);
     }},
    {CL_SAMPLER_ADDRESSING_MODE,
     [](const Sampler& sampler, InfoValue& value) {
       value.put(sampler.creation().addressingMode);
     }},
    {CL_SAMPLER_FILTER_MODE,
     [](const Sampler& sampler, InfoValue& value) { value.put(sampler.creation().filterMode); }},
    {CL_SAMPLER_PROPERTIES,
     [](const Sampler& sampler, InfoValue& value) {
       value.putArray(sampler.creation().properties);
     }},
};

} // namespace

Result<Ref<Sampler>> createSampler(cl_context handle, cl_bool normalizedCoords,
                                   cl_addressing_mode addressingMode, cl_filter_mode filterMode) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  return create(*context, {normalizedCoords, addressingMode, filterMode, {}});
}

Result<Ref<Sampler>> createSamplerWithProperties(cl_context handle,
                                                 const cl_sampler_properties* properties) {
  QUERN_ASSIGN(Context * context, fromHandle<Context>(handle));
  Sampler::Creation creation;
  creation.properties = copyPropertyList(properties);
  const auto& list = creation.properties;
  for (size_t i = 0; i + 1 < list.size(); i += 2) {
    // A property is named twice.
    if (isRepeated(list, i))
      return invalidValue(sentence("property ", list[i], " is given more than once"));
    QUERN_TRY(parseProperty(list[i], list[i + 1], creation));
  }
  return create(*context, std::move(creation));
}

Status getSamplerInfo(cl_sampler handle, cl_sampler_info name, const InfoRequest& request) {
  QUERN_ASSIGN(const Sampler* sampler, fromHandle<Sampler>(handle));
  return query(std::span<const InfoRow<Sampler>>(samplerRows), "sampler", *sampler, name, request);
}

} // namespace quern::api

#pragma once

#include <CL/cl.h>

#include "api/info.h"
#include "base/ref.h"
#include "base/result.h"
#include "runtime/sampler.h"

namespace quern::api {

Result<Ref<runtime::Sampler>> createSampler(cl_context context, cl_bool normalizedCoords,
                                            cl_addressing_mode addressingMode,
                                            cl_filter_mode filterMode);
Result<Ref<runtime::Sampler>> createSamplerWithProperties(cl_context context,
                                                          const cl_sampler_properties* properties);
Status getSamplerInfo(cl_sampler sampler, cl_sampler_info name, const InfoRequest& request);

} // namespace quern::api

#include "icd/entry.h"
#include "icd/functions.h"

#include "api/sampler.h"

namespace quern::icd {

using runtime::Sampler;

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                       cl_addressing_mode addressing_mode,
                                       cl_filter_mode filter_mode, cl_int* errcode_ret) {
  return create({"clCreateSampler", context}, errcode_ret, [&] {
    return api::createSampler(context, normalized_coords, addressing_mode, filter_mode);
  });
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties* sampler_properties, cl_int* errcode_ret) {
  return create({"clCreateSamplerWithProperties", context}, errcode_ret,
                [&] { return api::createSamplerWithProperties(context, sampler_properties); });
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return run({"clRetainSampler"}, [&] { return api::retain<Sampler>(sampler); });
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return run({"clReleaseSampler"}, [&] { return api::release<Sampler>(sampler); });
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                    size_t param_value_size, void* param_value,
                                    size_t* param_value_size_ret) {
  return run({"clGetSamplerInfo", sampler}, [&] {
    return api::getSamplerInfo(sampler, param_name,
                               {param_value_size, param_value, param_value_size_ret});
  });
}

} // namespace quern::icd

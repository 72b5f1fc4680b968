#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include <CL/cl_ext.h>

#include "api/handle.h"
#include "api/invalid.h"
#include "api/kernel.h"

namespace quern::api {

namespace {

using runtime::Kernel;
using runtime::KernelOnDevice;

/// Reads one to `limit` sizes from the input of a query.
Result<std::vector<size_t>> parseSizes(const SubGroupInput& input, size_t limit) {
  if (!input.value)
    return invalidValue("input_value is NULL");
  if (input.size == 0 || input.size % sizeof(size_t) != 0 || input.size > limit * sizeof(size_t))
    return invalidValue(sentence("input_value_size ", input.size, " is not that of 1 to ", limit,
                                 " values of ", sizeof(size_t), " bytes"));
  std::vector<size_t> sizes(input.size / sizeof(size_t));
  std::memcpy(sizes.data(), input.value, input.size);
  return sizes;
}

/// Work-items of a work-group with the local sizes of the input.
Result<size_t> parseItems(const SubGroupInput& input) {
  QUERN_ASSIGN(const std::vector<size_t> local, parseSizes(input, 3));
  size_t items = 1;
  for (const size_t size : local)
    if (__builtin_mul_overflow(items, size, &items) || items == 0)
      return invalidValue("the local size in input_value has no work-items or too many");
  return items;
}

/// A query on a kernel on a device.
struct Query {
  const KernelOnDevice& place;
  const SubGroupInput& input;
  const InfoRequest& request;

  size_t subGroupSize() const { return place.description().subGroupSize; }
  size_t maxItems() const { return place.limits.maxWorkGroupSize; }
};

Status putMaxSize(const Query& query, InfoValue& value) {
  QUERN_ASSIGN(const size_t items, parseItems(query.input));
  value.put<size_t>(std::min(items, query.subGroupSize()));
  return {};
}

Status putCount(const Query& query, InfoValue& value) {
  QUERN_ASSIGN(const size_t items, parseItems(query.input));
  value.put<size_t>((items - 1) / query.subGroupSize() + 1);
  return {};
}

/// A work-group of one dimension; zeros where there is none with so many sub-groups.
Status putLocalSize(const Query& query, InfoValue& value) {
  QUERN_ASSIGN(const std::vector<size_t> input, parseSizes(query.input, 1));
  const size_t count = input.front();
  const bool possible = count > 0 && count <= query.maxItems() / query.subGroupSize();
  // The caller's memory says for how many dimensions.
  const size_t dimensions =
      query.request.value ? std::clamp<size_t>(query.request.valueSize / sizeof(size_t), 1, 3) : 3;
  for (size_t i = 0; i < dimensions; ++i)
    value.put<size_t>(!possible ? 0 : i == 0 ? count * query.subGroupSize() : 1);
  return {};
}

Status putMaxCount(const Query& query, InfoValue& value) {
  value.put<size_t>((query.maxItems() - 1) / query.subGroupSize() + 1);
  return {};
}

/// No kernel asks for a number of sub-groups in its source.
Status putCompiledCount(const Query&, InfoValue& value) {
  value.put<size_t>(0);
  return {};
}

/// 0 where the kernel requires none.
Status putCompiledSize(const Query& query, InfoValue& value) {
  value.put<size_t>(query.place.description().attributes.find("intel_reqd_sub_group_size") !=
                            std::string::npos
                        ? query.subGroupSize()
                        : 0);
  return {};
}

constexpr std::pair<cl_kernel_sub_group_info, Status (*)(const Query&, InfoValue&)> rows[] = {
    {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, putMaxSize},
    {CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, putCount},
    {CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, putLocalSize},
    {CL_KERNEL_MAX_NUM_SUB_GROUPS, putMaxCount},
    {CL_KERNEL_COMPILE_NUM_SUB_GROUPS, putCompiledCount},
    {CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, putCompiledSize},
};

} // namespace

Status getKernelSubGroupInfo(cl_kernel handle, cl_device_id deviceHandle,
                             cl_kernel_sub_group_info name, const SubGroupInput& input,
                             const InfoRequest& request) {
  QUERN_ASSIGN(const Kernel* kernel, fromHandle<Kernel>(handle));
  QUERN_ASSIGN(const KernelOnDevice* place, parsePlace(*kernel, deviceHandle));
  // The device has no sub-groups.
  if (place->device->caps().maxSubGroups == 0)
    return Status::error(CL_INVALID_OPERATION, "the device does not support sub-groups");
  for (const auto& [row, put] : rows) {
    if (row != name)
      continue;
    InfoValue value;
    QUERN_TRY(put({*place, input, request}, value));
    return answer(value, request);
  }
  return unknownQuery("kernel's sub-groups", name);
}

} // namespace quern::api

#include "api/info.h"

#include "base/sentence.h"

namespace quern::api {

void InfoValue::putNames(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ";") + name;
  putString(text);
}

Status answer(const InfoValue& value, const InfoRequest& request) {
  const std::span<const std::byte> bytes = value.bytes();
  if (request.value && request.valueSize < bytes.size())
    return Status::error(CL_INVALID_VALUE,
                         sentence("param_value_size ", request.valueSize,
                                  " is too small: the value has ", bytes.size(), " bytes"));
  if (request.value && !bytes.empty())
    std::memcpy(request.value, bytes.data(), bytes.size());
  if (request.valueSizeRet)
    *request.valueSizeRet = bytes.size();
  return {};
}

Status unknownQuery(std::string_view subject, cl_uint name) {
  return Status::error(CL_INVALID_VALUE,
                       sentence("param_name ", name, " is not a query of a ", subject));
}

} // namespace quern::api

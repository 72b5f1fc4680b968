#include "api/unsupported.h"

namespace quern::api {

Status refuse(std::string_view feature, cl_int code) {
  return Status::error(code, sentence("no device supports ", feature));
}

} // namespace quern::api

#pragma once

#include <CL/cl.h>

#include "api/handle.h"
#include "base/result.h"

/// Functions for features that no device has, such as sharing with graphics. They check the object
/// they are called on and return the error that the specification gives for a device without the
/// feature.
namespace quern::api {

/// The failure of a function for a `feature` that no device has.
Status refuse(std::string_view feature, cl_int code);

/// The same for a function on `handle`, whose own error comes first when it is not valid.
template <typename T>
Status refuse(HandleOf<T> handle, std::string_view feature, cl_int code = CL_INVALID_OPERATION) {
  QUERN_TRY(fromHandle<T>(handle).takeStatus());
  return refuse(feature, code);
}

} // namespace quern::api

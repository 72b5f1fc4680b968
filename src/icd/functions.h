#pragma once

#include <type_traits>

#include <CL/cl_icd.h>

/// Declares every function of the dispatch table that icd/ implements, with the type that the
/// loader's header gives it. They have the names of the specification but live in a namespace:
/// exporting them would let the loader's own functions, or another library's, take their place.
namespace quern::icd {

#define QUERN_FUNCTION(name) std::remove_pointer_t<cl_api_##name> name;
#define QUERN_REFUSED(name, objectClass, code, feature)
#define QUERN_ABSENT(name)
#include "icd/functions.def"
#undef QUERN_FUNCTION
#undef QUERN_REFUSED
#undef QUERN_ABSENT

} // namespace quern::icd

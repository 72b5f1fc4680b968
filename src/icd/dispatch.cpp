#include "icd/dispatch.h"

#include <string_view>

#include "api/command_queue.h"
#include "api/kernel.h"
#include "api/memory.h"
#include "api/program.h"
#include "icd/extension_functions.h"
#include "icd/functions.h"
#include "icd/refused.h"
#include "runtime/object.h"

namespace quern::icd {

namespace {

using namespace runtime;

// One type for each refused row, for Refused to read.
#define QUERN_FUNCTION(function)
#define QUERN_ABSENT(function)
#define QUERN_REFUSED(function, objectClass, errorCode, featureName)                               \
  struct Row_##function {                                                                          \
    using Class = objectClass;                                                                     \
    static constexpr const char* name = #function;                                                 \
    static constexpr std::string_view feature = featureName;                                       \
    static constexpr cl_int code = errorCode;                                                      \
  };
#include "icd/functions.def"
#undef QUERN_FUNCTION
#undef QUERN_ABSENT
#undef QUERN_REFUSED

#define QUERN_FUNCTION(function) &icd::function,
#define QUERN_ABSENT(function) nullptr,
#define QUERN_REFUSED(function, objectClass, code, feature)                                        \
  &Refused<Row_##function, cl_api_##function>::call,
/// The real functions, in the order of the loader's table.
constexpr cl_icd_dispatch functions = {
#include "icd/functions.def"
};
#undef QUERN_FUNCTION
#undef QUERN_ABSENT
#undef QUERN_REFUSED

struct NamedFunction {
  std::string_view name;
  void* address;
};

#define QUERN_ROW(function) {#function, reinterpret_cast<void*>(functions.function)},
#define QUERN_FUNCTION(function) QUERN_ROW(function)
#define QUERN_ABSENT(function) QUERN_ROW(function)
#define QUERN_REFUSED(function, objectClass, code, feature) QUERN_ROW(function)
const NamedFunction namedFunctions[] = {
#include "icd/functions.def"
};
#undef QUERN_ROW
#undef QUERN_FUNCTION
#undef QUERN_ABSENT
#undef QUERN_REFUSED

#define QUERN_EXTENSION_FUNCTION(function) {#function, reinterpret_cast<void*>(&function)},
const NamedFunction extensionFunctions[] = {
#include "icd/extension_functions.def"
};
#undef QUERN_EXTENSION_FUNCTION

/// Marks a table of cl_khr_icd 2.0 in the two entries that no loader calls.
constexpr intptr_t icd2Tag = 0x4F50454E434C3331;

cl_icd_dispatch makeTable() {
  cl_icd_dispatch table = functions;
  table.clGetPlatformIDs = reinterpret_cast<cl_api_clGetPlatformIDs>(icd2Tag);
  table.clUnloadCompiler = reinterpret_cast<cl_api_clUnloadCompiler>(icd2Tag);
  return table;
}

template <size_t count> void* find(const NamedFunction (&list)[count], const char* name) {
  if (!name)
    return nullptr;
  for (const NamedFunction& function : list)
    if (function.name == name)
      return function.address;
  return nullptr;
}

} // namespace

void installDispatchTable() {
  static const cl_icd_dispatch table = makeTable();
  setDispatchTable(&table);
}

void* extensionFunction(const char* name) {
  return find(extensionFunctions, name);
}

void* anyFunction(const char* name) {
  void* address = find(namedFunctions, name);
  return address ? address : extensionFunction(name);
}

} // namespace quern::icd

#include "icd/dispatch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
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
/// The real functions, in the order of the loader's table and of the types that its header says.
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
#define QUERN_NEWER_FUNCTION(function) {#function, reinterpret_cast<void*>(&icd::function)},
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

/// What a loader of any age reads: a pointer for each row, also for those that the header's type
/// lacks.
using Table = std::array<void*, std::size(namedFunctions)>;
static_assert(sizeof(Table) >= sizeof(cl_icd_dispatch));

constexpr size_t entryAt(size_t offset) {
  return offset / sizeof(void*);
}

Table makeTable() {
  Table table;
  std::ranges::transform(namedFunctions, table.begin(), &NamedFunction::address);
  void* const tag = reinterpret_cast<void*>(icd2Tag);
  table[entryAt(offsetof(cl_icd_dispatch, clGetPlatformIDs))] = tag;
  table[entryAt(offsetof(cl_icd_dispatch, clUnloadCompiler))] = tag;
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
  static const Table table = makeTable();
  setDispatchTable(table.data());
}

void* extensionFunction(const char* name) {
  return find(extensionFunctions, name);
}

void* anyFunction(const char* name) {
  void* address = find(namedFunctions, name);
  return address ? address : extensionFunction(name);
}

} // namespace quern::icd

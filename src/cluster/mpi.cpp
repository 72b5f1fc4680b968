#include "cluster/mpi.h"

#include <dlfcn.h>
#include <optional>
#include <string>
#include <type_traits>

#include "base/log.h"

namespace quern::cluster::mpi {

namespace {

/// MPICH's name, and the one that Debian gives it.
constexpr const char* libraryNames[] = {"libmpich.so.12", "libmpi.so.12"};

void* openLibrary() {
  for (const char* name : libraryNames)
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
  log::info(std::string("no MPI for the nodes of a cluster: ") + dlerror());
  return nullptr;
}

std::optional<Api> open() {
  void* const library = openLibrary();
  if (!library)
    return std::nullopt;
  Api api;
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* symbol) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (!function)
      missing = symbol;
  };
#define QUERN_MPI_FIND(name, symbol, parameters) find(api.name, symbol);
  QUERN_MPI_FUNCTIONS(QUERN_MPI_FIND)
#undef QUERN_MPI_FIND
  if (!missing)
    return api;
  log::warning(std::string("MPI is not used: it has no function ") + missing);
  return std::nullopt;
}

} // namespace

const Api* Api::load() {
  static const std::optional<Api> api = open();
  return api ? &*api : nullptr;
}

} // namespace quern::cluster::mpi

#include "opengl/libraries.h"

#include <dlfcn.h>

namespace quern::opengl {

void* findLoaded(const char* symbol, std::span<const char* const> libraries) {
  if (void* const found = dlsym(RTLD_DEFAULT, symbol))
    return found;
  // Window libraries and Java load OpenGL for themselves alone.
  for (const char* library : libraries) {
    void* const loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!loaded)
      continue;
    // The reference is kept, so that the library stays.
    if (void* const found = dlsym(loaded, symbol))
      return found;
    dlclose(loaded);
  }
  return nullptr;
}

} // namespace quern::opengl

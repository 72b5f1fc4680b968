#pragma once

#include <atomic>
#include <memory>
#include <span>

namespace quern::opengl {

/// The function `symbol` of one of `libraries`, if the program, or a library of its, has loaded
/// that; null otherwise. Loads nothing.
void* findLoaded(const char* symbol, std::span<const char* const> libraries);

/// What `find` finds first with all that is needed (`isLoaded`), for the rest of the process. It is
/// asked again until then, for the program may load the libraries at any time; until then nothing
/// is loaded. Any thread.
template <typename Functions, Functions (*find)()> const Functions& foundOnce() {
  static std::atomic<const Functions*> known = nullptr;
  if (const Functions* const functions = known.load(std::memory_order_acquire))
    return *functions;
  auto found = std::make_unique<const Functions>(find());
  if (!found->isLoaded) {
    static constexpr Functions none = {};
    return none;
  }
  const Functions* earlier = nullptr;
  return known.compare_exchange_strong(earlier, found.get()) ? *found.release() : *earlier;
}

} // namespace quern::opengl

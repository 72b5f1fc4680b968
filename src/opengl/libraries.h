#pragma once

#include <span>

namespace quern::opengl {

/// The function `symbol` of one of `libraries`, if the program, or a library of its, has loaded
/// that; null otherwise. Loads nothing.
void* findLoaded(const char* symbol, std::span<const char* const> libraries);

} // namespace quern::opengl

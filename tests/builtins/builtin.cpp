#include "builtin.h"

#include <unordered_map>

namespace quern::builtins {

namespace {

constexpr std::string_view baseNames[] = {"void",   "bool",  "char",  "uchar", "short",
                                          "ushort", "int",   "uint",  "long",  "ulong",
                                          "half",   "float", "double"};
constexpr std::string_view spaceNames[] = {"",          "private ", "global ",
                                           "constant ", "local ",   "generic "};

/// For each function of the table whether it has been called.
std::vector<bool>& calls() {
  static std::vector<bool> called(tableSize);
  return called;
}

std::string describe(const Type& type) {
  std::string text(spaceNames[static_cast<int>(type.space)]);
  text += baseNames[static_cast<int>(type.base)];
  if (type.width > 1)
    text += std::to_string(type.width);
  return type.space == Space::None ? text : text + " *";
}

} // namespace

std::string describe(const Builtin& builtin) {
  std::string text = describe(builtin.result) + " " + std::string(builtin.name) + "(";
  for (int i = 0; i < builtin.parameterCount; ++i)
    text += (i ? ", " : "") + describe(builtin.parameters[i]);
  return text + ")";
}

std::vector<const Builtin*> overloads(std::string_view name) {
  static const auto byName = [] {
    std::unordered_multimap<std::string_view, const Builtin*> map;
    for (std::size_t i = 0; i < tableSize; ++i)
      map.emplace(table[i].name, &table[i]);
    return map;
  }();
  std::vector<const Builtin*> found;
  auto [begin, end] = byName.equal_range(name);
  for (auto it = begin; it != end; ++it)
    found.push_back(it->second);
  return found;
}

void Builtin::call(void* result, void* const* arguments) const {
  calls()[static_cast<std::size_t>(this - table)] = true;
  wrapper(result, arguments);
}

std::vector<const Builtin*> neverCalled() {
  std::vector<const Builtin*> found;
  for (std::size_t i = 0; i < tableSize; ++i)
    if (!calls()[i])
      found.push_back(&table[i]);
  return found;
}

} // namespace quern::builtins

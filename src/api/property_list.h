#pragma once

#include <cstddef>
#include <vector>

namespace quern::api {

/// A zero-terminated list of names, each followed by its value, with the terminating zero; empty
/// when the program gave NULL.
template <typename Property> std::vector<Property> copyPropertyList(const Property* properties) {
  std::vector<Property> list;
  if (!properties)
    return list;
  for (; *properties != 0; properties += 2)
    list.insert(list.end(), properties, properties + 2);
  list.push_back(0);
  return list;
}

/// Whether the property at `index` was named before in `list`.
template <typename Property> bool isRepeated(const std::vector<Property>& list, size_t index) {
  for (size_t i = 0; i < index; i += 2)
    if (list[i] == list[index])
      return true;
  return false;
}

} // namespace quern::api

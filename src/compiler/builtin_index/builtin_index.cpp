#include "compiler/builtin_index/builtin_index.h"

#include <cstring>

#include "compiler/builtin_index/format.h"

namespace quern::compiler {

using namespace builtin_index;

template <typename T> T BuiltinIndex::read(size_t offset) const {
  T value;
  std::memcpy(&value, file_.data() + offset, sizeof(T));
  return value;
}

std::optional<uint32_t> BuiltinIndex::find(std::string_view symbol) const {
  uint32_t low = 0, high = read<Header>(0).symbolCount;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const auto row = read<Symbol>(sizeof(Header) + middle * sizeof(Symbol));
    const std::string_view name = file_.substr(row.nameOffset, row.nameBytes);
    if (name == symbol)
      return row.module;
    if (name < symbol)
      low = middle + 1;
    else
      high = middle;
  }
  return std::nullopt;
}

std::string_view BuiltinIndex::module(uint32_t number) const {
  const size_t rows = sizeof(Header) + read<Header>(0).symbolCount * sizeof(Symbol);
  const auto row = read<Module>(rows + number * sizeof(Module));
  return file_.substr(row.offset, row.bytes);
}

} // namespace quern::compiler

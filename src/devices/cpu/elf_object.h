#pragma once

#include <cstddef>
#include <elf.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace quern::cpu {

/// A relocatable ELF object for x86-64, checked: every index, offset and length that an accessor
/// follows has been compared with the object's size, so hostile bytes cannot lead outside. Refers
/// to the bytes that it was parsed from.
class ElfObject {
public:
  /// CL_INVALID_BINARY with the reason when the bytes are not such an object.
  static Result<ElfObject> parse(std::span<const std::byte> bytes);

  std::span<const Elf64_Shdr> sections() const { return sections_; }
  std::string_view sectionName(size_t section) const;
  /// The section's bytes; empty for SHT_NOBITS.
  std::span<const std::byte> contents(size_t section) const;

  /// The symbol table, the null symbol first; empty where the object has none.
  std::span<const Elf64_Sym> symbols() const { return symbols_; }
  std::string_view symbolName(const Elf64_Sym& symbol) const;

  /// The entries of a section of type SHT_RELA; their symbol indices are valid.
  std::vector<Elf64_Rela> relocations(size_t section) const;

private:
  explicit ElfObject(std::span<const std::byte> bytes) : bytes_(bytes) {}
  Status readSections();
  Status readSymbols();
  Status checkRelocations(size_t section) const;

  std::span<const std::byte> bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Sym> symbols_;
  size_t sectionNames_ = 0; ///< index of the string table
  size_t symbolNames_ = 0;
};

/// The error for machine code that cannot be used; `reason` completes "the code cannot be loaded:
/// ".
Status invalidCode(const std::string& reason);

} // namespace quern::cpu

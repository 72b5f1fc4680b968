#include "devices/cpu/elf_object.h"

#include <cstring>

namespace quern::cpu {

namespace {

bool fits(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

/// Copies `count` structures out of `bytes`, which may be aligned to nothing.
template <typename T> std::vector<T> copyTable(std::span<const std::byte> bytes, size_t count) {
  std::vector<T> table(count);
  if (count > 0)
    std::memcpy(table.data(), bytes.data(), count * sizeof(T));
  return table;
}

/// The string at `offset` of a string table, cut at the table's end.
std::string_view stringAt(std::span<const std::byte> table, uint64_t offset) {
  if (offset >= table.size())
    return {};
  const char* text = reinterpret_cast<const char*>(table.data()) + offset;
  return {text, strnlen(text, table.size() - offset)};
}

} // namespace

Status invalidCode(const std::string& reason) {
  return Status::error(CL_INVALID_BINARY, "the code cannot be loaded: " + reason);
}

Result<ElfObject> ElfObject::parse(std::span<const std::byte> bytes) {
  ElfObject object(bytes);
  QUERN_TRY(object.readSections());
  QUERN_TRY(object.readSymbols());
  for (size_t i = 0; i < object.sections_.size(); ++i)
    QUERN_TRY(object.checkRelocations(i));
  return object;
}

Status ElfObject::readSections() {
  Elf64_Ehdr header;
  if (bytes_.size() < sizeof(header))
    return invalidCode(std::to_string(bytes_.size()) + " bytes are no ELF object");
  std::memcpy(&header, bytes_.data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL ||
      header.e_machine != EM_X86_64)
    return invalidCode("it is not a relocatable ELF object for x86-64");
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 ||
      !fits(header.e_shoff, uint64_t(header.e_shnum) * sizeof(Elf64_Shdr), bytes_.size()))
    return invalidCode("its section table is broken");
  sections_ = copyTable<Elf64_Shdr>(bytes_.subspan(header.e_shoff), header.e_shnum);
  for (const Elf64_Shdr& section : sections_)
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
        !fits(section.sh_offset, section.sh_size, bytes_.size()))
      return invalidCode("a section reaches beyond its end");
  if (header.e_shstrndx >= sections_.size() || sections_[header.e_shstrndx].sh_type != SHT_STRTAB)
    return invalidCode("it has no section names");
  sectionNames_ = header.e_shstrndx;
  return {};
}

Status ElfObject::readSymbols() {
  for (size_t i = 0; i < sections_.size(); ++i) {
    const Elf64_Shdr& section = sections_[i];
    if (section.sh_type != SHT_SYMTAB)
      continue;
    if (!symbols_.empty())
      return invalidCode("it has more than one symbol table");
    if (section.sh_entsize != sizeof(Elf64_Sym) || section.sh_size % sizeof(Elf64_Sym) != 0 ||
        section.sh_link >= sections_.size() || sections_[section.sh_link].sh_type != SHT_STRTAB)
      return invalidCode("its symbol table is broken");
    symbols_ = copyTable<Elf64_Sym>(contents(i), section.sh_size / sizeof(Elf64_Sym));
    symbolNames_ = section.sh_link;
  }
  return {};
}

Status ElfObject::checkRelocations(size_t index) const {
  const Elf64_Shdr& section = sections_[index];
  if (section.sh_type != SHT_RELA)
    return {};
  if (section.sh_entsize != sizeof(Elf64_Rela) || section.sh_size % sizeof(Elf64_Rela) != 0 ||
      section.sh_info >= sections_.size())
    return invalidCode("a relocation table is broken");
  for (const Elf64_Rela& relocation : relocations(index))
    if (ELF64_R_SYM(relocation.r_info) >= symbols_.size() && ELF64_R_SYM(relocation.r_info) != 0)
      return invalidCode("a relocation names a symbol that does not exist");
  return {};
}

std::string_view ElfObject::sectionName(size_t section) const {
  return stringAt(contents(sectionNames_), sections_[section].sh_name);
}

std::span<const std::byte> ElfObject::contents(size_t index) const {
  const Elf64_Shdr& section = sections_[index];
  if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL)
    return {};
  return bytes_.subspan(section.sh_offset, section.sh_size);
}

std::string_view ElfObject::symbolName(const Elf64_Sym& symbol) const {
  return stringAt(contents(symbolNames_), symbol.st_name);
}

std::vector<Elf64_Rela> ElfObject::relocations(size_t section) const {
  return copyTable<Elf64_Rela>(contents(section), sections_[section].sh_size / sizeof(Elf64_Rela));
}

} // namespace quern::cpu

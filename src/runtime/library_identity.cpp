#include "runtime/library_identity.h"

#include <cstring>
#include <optional>
#include <vector>

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sentence.h"

namespace quern::runtime {

namespace {

// Far above what a linker writes: bounds for reading a file that is not what we think.
constexpr size_t maxProgramHeaders = 256;
constexpr size_t maxNoteBytes = 64 * 1024;

bool readAt(int file, uint64_t offset, void* data, size_t bytes) {
  return pread(file, data, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

size_t alignedToWord(size_t bytes) {
  return (bytes + 3) & ~size_t{3};
}

std::string toHexText(const std::byte* data, size_t bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < bytes; ++i) {
    text += digits[static_cast<unsigned>(data[i]) >> 4];
    text += digits[static_cast<unsigned>(data[i]) & 15];
  }
  return text;
}

std::optional<std::string> findBuildId(const std::vector<std::byte>& notes) {
  size_t offset = 0;
  while (notes.size() - offset >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data() + offset, sizeof(note));
    const size_t name = offset + sizeof(note);
    const size_t content = name + alignedToWord(note.n_namesz);
    const size_t end = content + alignedToWord(note.n_descsz);
    if (end > notes.size())
      return std::nullopt;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes.data() + name, "GNU", 4) == 0)
      return toHexText(notes.data() + content, note.n_descsz);
    offset = end;
  }
  return std::nullopt;
}

std::optional<std::string> readBuildId(int file) {
  Elf64_Ehdr header;
  if (!readAt(file, 0, &header, sizeof(header)) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > maxProgramHeaders)
    return std::nullopt;
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (!readAt(file, header.e_phoff, segments.data(), segments.size() * sizeof(Elf64_Phdr)))
    return std::nullopt;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_NOTE || segment.p_filesz > maxNoteBytes)
      continue;
    std::vector<std::byte> notes(segment.p_filesz);
    if (readAt(file, segment.p_offset, notes.data(), notes.size()))
      if (auto id = findBuildId(notes))
        return id;
  }
  return std::nullopt;
}

} // namespace

std::string libraryIdentity(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return {};
  std::string identity;
  struct stat info;
  if (auto id = readBuildId(file))
    identity = "build-id " + *id;
  else if (fstat(file, &info) == 0)
    identity = sentence("file ", info.st_size, " ", info.st_mtim.tv_sec, ".", info.st_mtim.tv_nsec,
                        " ", info.st_ino);
  close(file);
  return identity;
}

} // namespace quern::runtime

#include "runtime/include_record.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include <unistd.h>

#include "base/hash.h"
#include "base/path.h"

namespace quern::runtime {

namespace {

// Smallest encoding of a path with its length and hash.
constexpr size_t minPathBytes = 8;

bool exists(const std::string& path) {
  return access(path.c_str(), F_OK) == 0;
}

std::optional<uint64_t> hashOfFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return contentHash(content);
}

/// With a slash at the end, so that it is a prefix of what is inside.
std::string withSlash(std::string folder) {
  if (!folder.empty() && folder.back() != '/')
    folder += '/';
  return folder;
}

} // namespace

bool IncludeRecord::isCurrent() const {
  return std::ranges::all_of(opened,
                             [](const compiler::Dependency& file) {
                               return hashOfFile(file.path) == file.contentHash;
                             }) &&
         std::ranges::none_of(absent, exists);
}

IncludeRecord recordIncludes(std::vector<compiler::Dependency> opened,
                             std::span<const std::string> includeFolders) {
  // An #include is looked for in the folder of the file that has it, in the current folder, then in
  // the -I folders.
  std::set<std::string> folders = {""};
  for (const std::string& folder : includeFolders)
    folders.insert(withSlash(folder));
  for (const compiler::Dependency& file : opened)
    folders.insert(folderOf(file.path));

  std::set<std::string> absent;
  for (const compiler::Dependency& file : opened)
    for (const std::string& found : folders) {
      if (!file.path.starts_with(found))
        continue;
      const std::string name = file.path.substr(found.size());
      for (const std::string& folder : folders)
        if (!name.starts_with('/') && !exists(folder + name))
          absent.insert(folder + name);
    }
  return {std::move(opened), {absent.begin(), absent.end()}};
}

void put(ByteWriter& out, const IncludeRecord& record) {
  out.put<uint32_t>(record.opened.size());
  for (const compiler::Dependency& file : record.opened) {
    out.put(file.path);
    out.put(file.contentHash);
  }
  out.put<uint32_t>(record.absent.size());
  for (const std::string& path : record.absent)
    out.put(path);
}

IncludeRecord getIncludeRecord(ByteReader& in) {
  IncludeRecord record;
  const auto openedCount = in.get<uint32_t>();
  for (uint32_t i = 0; i < openedCount && in.remaining() >= minPathBytes; ++i) {
    std::string path = in.getString();
    record.opened.push_back({std::move(path), in.get<uint64_t>()});
  }
  const auto absentCount = in.get<uint32_t>();
  for (uint32_t i = 0; i < absentCount && in.remaining() >= minPathBytes; ++i)
    record.absent.push_back(in.getString());
  return record;
}

} // namespace quern::runtime

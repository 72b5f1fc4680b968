#include "runtime/cache_folder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/config.h"
#include "base/sentence.h"

namespace quern::runtime {

namespace {

/// Every file that `write` makes ends so: whole files and those being written.
constexpr std::string_view entrySuffix = ".qce";
constexpr std::string_view temporarySuffix = ".qct";

/// An open file or folder, closed at the end of its scope.
class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0)
      close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  explicit operator bool() const { return number_ >= 0; }
  operator int() const { return number_; }

private:
  int number_;
};

/// Code is loaded from these files, so nobody else may have had a say in them.
bool isOnlyOurs(const struct stat& info) {
  return info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Like `mkdir -p -m 700`.
bool makeFolders(const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (mkdir(part.c_str(), S_IRWXU) != 0 && errno != EEXIST)
      return false;
    if (slash == std::string::npos)
      return true;
  }
}

bool readAll(int file, Bytes& content) {
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t count = ::read(file, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

bool writeAll(int file, std::span<const std::byte> content) {
  while (!content.empty()) {
    const ssize_t count = ::write(file, content.data(), content.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    content = content.subspan(static_cast<size_t>(count));
  }
  return true;
}

/// A name that no other thread, process or machine uses at the same time.
std::string temporaryName() {
  static std::atomic<uint64_t> counter{0};
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return sentence(getpid(), "-", counter.fetch_add(1), "-", now.tv_sec, "-", now.tv_nsec,
                  temporarySuffix);
}

} // namespace

int CacheFolder::open() const {
  if (path_.empty())
    return -1;
  const int folder = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat info;
  if (folder >= 0 && fstat(folder, &info) == 0 && isOnlyOurs(info))
    return folder;
  if (folder >= 0)
    close(folder);
  return -1;
}

std::optional<Bytes> CacheFolder::read(const std::string& name) const {
  const Descriptor folder(open());
  if (!folder)
    return std::nullopt;
  const std::string fileName = sentence(name, entrySuffix);
  const Descriptor file(openat(folder, fileName.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info;
  if (!file || fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || !isOnlyOurs(info))
    return std::nullopt;
  Bytes content(static_cast<size_t>(info.st_size));
  if (!readAll(file, content))
    return std::nullopt;
  // The time of change is the time of last use: times of access are often not kept. Fails on a
  // read-only disk, which does not matter.
  [[maybe_unused]] const int marked = futimens(file, nullptr);
  return content;
}

bool CacheFolder::write(const std::string& name, std::span<const std::byte> content) const {
  if (path_.empty() || !makeFolders(path_))
    return false;
  const Descriptor folder(open());
  if (!folder)
    return false;
  const std::string temporary = temporaryName();
  const Descriptor file(openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                               S_IRUSR | S_IWUSR));
  if (!file)
    return false;
  const std::string fileName = sentence(name, entrySuffix);
  if (writeAll(file, content) && renameat(folder, temporary.c_str(), folder, fileName.c_str()) == 0)
    return true;
  unlinkat(folder, temporary.c_str(), 0);
  return false;
}

std::vector<CacheFolder::File> CacheFolder::list(int folder) const {
  std::vector<File> files;
  // The stream takes over the descriptor it is given.
  DIR* stream = fdopendir(dup(folder));
  if (!stream)
    return files;
  while (const dirent* entry = readdir(stream)) {
    const std::string_view name = entry->d_name;
    struct stat info;
    if ((!name.ends_with(entrySuffix) && !name.ends_with(temporarySuffix)) ||
        fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
      continue;
    files.push_back({std::string(name), static_cast<uint64_t>(info.st_size),
                     info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec});
  }
  closedir(stream);
  return files;
}

void CacheFolder::trim(uint64_t limitBytes) const {
  const Descriptor folder(open());
  if (!folder)
    return;
  std::vector<File> files = list(folder);
  uint64_t total = 0;
  for (const File& file : files)
    total += file.bytes;
  if (total <= limitBytes)
    return;
  std::ranges::sort(files, {}, &File::usedNs);
  for (const File& file : files) {
    if (total <= limitBytes)
      return;
    unlinkat(folder, file.name.c_str(), 0);
    total -= file.bytes;
  }
}

CacheFolder::Usage CacheFolder::usage() const {
  Usage usage;
  const Descriptor folder(open());
  if (folder)
    for (const File& file : list(folder)) {
      ++usage.files;
      usage.bytes += file.bytes;
    }
  return usage;
}

CacheFolder::Usage CacheFolder::clear() const {
  Usage cleared;
  const Descriptor folder(open());
  if (folder)
    for (const File& file : list(folder))
      if (unlinkat(folder, file.name.c_str(), 0) == 0) {
        ++cleared.files;
        cleared.bytes += file.bytes;
      }
  return cleared;
}

std::string configuredCacheFolder() {
  if (!config().isOn(Option::Cache))
    return {};
  if (const std::string& folder = config().get(Option::CacheDir); !folder.empty())
    return folder;
  // Relative paths in XDG_CACHE_HOME are to be ignored (XDG base directory specification).
  if (const char* cache = secure_getenv("XDG_CACHE_HOME"); cache && cache[0] == '/')
    return sentence(cache, "/quern");
  if (const char* home = secure_getenv("HOME"); home && home[0] == '/')
    return sentence(home, "/.cache/quern");
  return {};
}

} // namespace quern::runtime

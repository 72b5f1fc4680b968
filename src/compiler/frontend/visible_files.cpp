#include "compiler/frontend/visible_files.h"

#include <algorithm>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>

namespace quern::compiler {
namespace {

/// Whether a program that includes a file of this name means code. Not ".inc" and ".def", which may
/// be anything.
bool isNamedAsSource(llvm::StringRef path) {
  constexpr llvm::StringLiteral extensions[] = {".h",   ".hh",    ".hpp",    ".hxx", ".inl", ".c",
                                                ".cc",  ".cpp",   ".cxx",    ".cl",  ".clh", ".clc",
                                                ".ocl", ".clcpp", ".opencl", ".cu",  ".cuh"};
  return llvm::is_contained(extensions, llvm::sys::path::extension(path).lower());
}

} // namespace

VisibleFiles::VisibleFiles(std::span<const std::string> folders)
    : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {
  for (const std::string& folder : folders)
    folders_.push_back(plain(folder));
  if (std::string working = plain("."); working != "/")
    folders_.push_back(std::move(working));
}

std::string VisibleFiles::plain(const llvm::Twine& path) const {
  llvm::SmallString<256> result;
  path.toVector(result);
  // Fails where there is no working directory; the path then stays relative.
  (void)makeAbsolute(result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return std::string(result);
}

bool VisibleFiles::isVisible(const llvm::Twine& path) const {
  const std::string wanted = plain(path);
  // The system would take the part before a zero for the name.
  if (wanted.find('\0') != wanted.npos)
    return false;
  return isNamedAsSource(wanted) || std::ranges::any_of(folders_, [&](const std::string& folder) {
           llvm::StringRef rest(wanted);
           return rest.consume_front(folder) &&
                  (rest.empty() || rest.starts_with("/") || llvm::StringRef(folder).ends_with("/"));
         });
}

llvm::ErrorOr<llvm::vfs::Status> VisibleFiles::status(const llvm::Twine& path) {
  llvm::ErrorOr<llvm::vfs::Status> status = ProxyFileSystem::status(path);
  // Folders lead to visible files.
  if (status && !status->isDirectory() && !isVisible(path))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  return status;
}

bool VisibleFiles::exists(const llvm::Twine& path) {
  return isVisible(path) && ProxyFileSystem::exists(path);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
VisibleFiles::openFileForRead(const llvm::Twine& path) {
  if (!isVisible(path))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  return ProxyFileSystem::openFileForRead(path);
}

llvm::vfs::directory_iterator VisibleFiles::dir_begin(const llvm::Twine& path,
                                                      std::error_code& error) {
  if (isVisible(path))
    return ProxyFileSystem::dir_begin(path, error);
  error = std::make_error_code(std::errc::no_such_file_or_directory);
  return {};
}

} // namespace quern::compiler

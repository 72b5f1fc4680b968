#pragma once

#include <span>
#include <string>
#include <vector>

#include <llvm/Support/VirtualFileSystem.h>

namespace quern::compiler {

/// The real file system as far as a program may see it: what lies below the folders that its
/// options name and below the working directory, and what is named as a source or a header wherever
/// it lies. A source from elsewhere can then not read the host's other files by `#include` with an
/// absolute path or "..", nor probe for them: they do not exist. Folders do. A working directory of
/// "/", as services have, makes nothing visible by itself.
class VisibleFiles : public llvm::vfs::ProxyFileSystem {
public:
  explicit VisibleFiles(std::span<const std::string> folders);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  bool exists(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine& path, std::error_code& error) override;

private:
  /// `path` as an absolute path without "." and "..".
  std::string plain(const llvm::Twine& path) const;
  bool isVisible(const llvm::Twine& path) const;

  std::vector<std::string> folders_;
};

} // namespace quern::compiler

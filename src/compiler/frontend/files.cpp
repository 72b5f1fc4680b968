#include "compiler/frontend/files.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include "base/hash.h"
#include "compiler/embedded.h"
#include "compiler/frontend/arguments.h"
#include "compiler/frontend/visible_files.h"

namespace quern::compiler {
namespace {

std::unique_ptr<llvm::MemoryBuffer> view(std::string_view text) {
  return llvm::MemoryBuffer::getMemBuffer(text, "", /*RequiresNullTerminator=*/false);
}

/// The folders that the options name: include folders, and absolute paths that are the value of a
/// define, quoted or not. Programs that write `#include M(FOLDER/file.h)` say so where theirs are.
std::vector<std::string> namedFolders(const Options& options) {
  std::vector<std::string> folders = options.includeFolders;
  for (const auto& [name, value] : options.defines) {
    const llvm::StringRef folder = llvm::StringRef(value).trim("\"");
    if (llvm::sys::path::is_absolute(folder) && !folder.trim('/').empty())
      folders.push_back(folder.str());
  }
  return folders;
}

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(std::span<const Header> headers,
                                                               const Options& options) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const std::string own = ownHeaderFolder;
  memory->addFile(own + "/opencl-c-base.h", 0, view(embedded::clangHeader()));
  memory->addFile(own + "/quern-opencl-extra.h", 0, view(embedded::ownHeader()));
  for (const Header& header : headers) {
    // A copy, because the program's text has no terminating zero of its own to rely on.
    const bool absolute = llvm::sys::path::is_absolute(header.name);
    memory->addFile(absolute ? header.name : programHeaderFolder + ("/" + header.name), 0,
                    llvm::MemoryBuffer::getMemBufferCopy(header.text));
  }
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::makeIntrusiveRefCnt<VisibleFiles>(namedFolders(options)));
  overlay->pushOverlay(memory);
  return overlay;
}

bool IncludedFiles::sawDependency(llvm::StringRef path, bool fromModule, bool isSystem,
                                  bool isModuleFile, bool isMissing) {
  return !isMissing && !path.starts_with(ownHeaderFolder) &&
         !path.starts_with(programHeaderFolder) && !path.starts_with("<");
}

std::vector<Dependency> IncludedFiles::hashed() const {
  std::vector<Dependency> result;
  for (const std::string& path : getDependencies()) {
    auto buffer =
        llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      continue; // the main source, which has no file
    const llvm::StringRef text = (*buffer)->getBuffer();
    result.push_back({path, contentHash(std::string_view(text))});
  }
  return result;
}

} // namespace quern::compiler

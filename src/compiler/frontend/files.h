#pragma once

#include <span>
#include <vector>

#include <clang/Frontend/Utils.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "compiler/interface/compiler.h"

namespace quern::compiler {

/// The visible part of the real file system (frontend/visible_files.h) below the headers that the
/// compiler carries and the program gave.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(std::span<const Header> headers,
                                                               const Options& options);

/// Notes the files on disk that were opened by #include.
class IncludedFiles : public clang::DependencyCollector {
public:
  bool sawDependency(llvm::StringRef path, bool fromModule, bool isSystem, bool isModuleFile,
                     bool isMissing) override;
  /// The files with the hashes of their present contents, for the cache to compare later.
  std::vector<Dependency> hashed() const;
};

} // namespace quern::compiler

#include "compiler/spirv/debug_lines.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace quern::compiler::spirv {

llvm::DIFile* DebugLines::file(llvm::StringRef path) {
  return builder_->createFile(path, ".");
}

void DebugLines::add(llvm::Function& function, llvm::StringRef name, const SourcePlace& place) {
  if (!isWanted_ || place.file.empty())
    return;
  if (!builder_) {
    builder_ = std::make_unique<llvm::DIBuilder>(module_);
    unit_ = builder_->createCompileUnit(
        llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_OpenCL), file(place.file), "Quern",
        /*isOptimized=*/false, "", 0, "", llvm::DICompileUnit::LineTablesOnly);
    module_.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                          llvm::DEBUG_METADATA_VERSION);
    module_.addModuleFlag(llvm::Module::Max, "Dwarf Version", 4);
  }
  llvm::DISubroutineType* type = builder_->createSubroutineType(builder_->getOrCreateTypeArray({}));
  llvm::DIFile* own = file(place.file);
  function.setSubprogram(builder_->createFunction(own, name, "", own, place.line, type, place.line,
                                                  llvm::DINode::FlagPrototyped,
                                                  llvm::DISubprogram::SPFlagDefinition));
}

llvm::DILocation* DebugLines::at(const llvm::Function& function, const SourcePlace& place) {
  llvm::DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram)
    return nullptr;
  llvm::DIScope* scope = subprogram;
  if (!place.file.empty() && place.file != subprogram->getFilename())
    scope = builder_->createLexicalBlockFile(subprogram, file(place.file));
  return llvm::DILocation::get(module_.getContext(), place.line, place.column, scope);
}

llvm::DILocation* DebugLines::atBegin(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  return subprogram ? at(function, {subprogram->getFilename(), subprogram->getLine(), 0}) : nullptr;
}

void DebugLines::finish() {
  if (builder_)
    builder_->finalize();
}

} // namespace quern::compiler::spirv

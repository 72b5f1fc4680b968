// Splits the built-in library into the indexed file of builtin_index/format.h.
//   quern-make-index LIBRARY.bc OUTPUT

#include <cctype>
#include <map>
#include <set>

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "base/bytes.h"
#include "compiler/builtin_index/format.h"

namespace {

using namespace quern::compiler;
using Names = std::set<std::string>;

/// Modules are cut out in two steps, because every copy begins with declarations of all that the
/// whole has.
constexpr size_t groupsOfOneChunk = 30;

/// The overloads of a function belong together: the name without the types of its parameters.
std::string groupOf(llvm::StringRef symbol) {
  llvm::StringRef rest = symbol;
  size_t length = 0;
  if (rest.consume_front("_Z") && !rest.consumeInteger(10, length) && length <= rest.size())
    return rest.take_front(length).str();
  return symbol.str();
}

/// What one file keeps to itself, another one must be able to name, by a name that no program's own
/// function can have.
void nameEverything(llvm::Module& library) {
  unsigned number = 0;
  for (llvm::GlobalValue& value : library.global_values()) {
    if (!value.hasName())
      value.setName("__quern_builtin_" + llvm::Twine(number++));
    else if (value.hasLocalLinkage())
      value.setName(value.getName() + ".library");
    if (!value.isDeclaration())
      value.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

std::unique_ptr<llvm::Module> cut(const llvm::Module& library, const Names& names) {
  llvm::ValueToValueMapTy map;
  auto part = llvm::CloneModule(library, map, [&](const llvm::GlobalValue* value) {
    return names.contains(value->getName().str());
  });
  for (llvm::Function& function : llvm::make_early_inc_range(*part))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(part->globals()))
    if (variable.isDeclaration() && variable.use_empty())
      variable.eraseFromParent();
  return part;
}

/// The definitions of `library` by group.
std::map<std::string, Names> collectGroups(const llvm::Module& library) {
  std::map<std::string, Names> groups;
  for (const llvm::GlobalValue& value : library.global_values())
    if (!value.isDeclaration())
      groups[groupOf(value.getName())].insert(value.getName().str());
  return groups;
}

struct Index {
  std::map<std::string, uint32_t> modulesOfSymbols;
  std::vector<std::string> modules;
};

void addModule(Index& index, const llvm::Module& part, const Names& names) {
  for (const std::string& name : names)
    index.modulesOfSymbols[name] = index.modules.size();
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(part, stream);
  index.modules.push_back(std::move(bitcode));
}

Index split(const llvm::Module& library) {
  Index index;
  const auto groups = collectGroups(library);
  for (auto first = groups.begin(); first != groups.end();) {
    Names chunkNames;
    auto last = first;
    for (size_t i = 0; i < groupsOfOneChunk && last != groups.end(); ++i, ++last)
      chunkNames.insert(last->second.begin(), last->second.end());
    const auto chunk = cut(library, chunkNames);
    for (; first != last; ++first)
      addModule(index, *cut(*chunk, first->second), first->second);
  }
  return index;
}

quern::Bytes encode(const Index& index) {
  const size_t symbols = index.modulesOfSymbols.size(), modules = index.modules.size();
  quern::ByteWriter rows;
  std::string names, code;
  uint32_t nameOffset = sizeof(builtin_index::Header) + symbols * sizeof(builtin_index::Symbol) +
                        modules * sizeof(builtin_index::Module);
  rows.put(builtin_index::Header{static_cast<uint32_t>(symbols), static_cast<uint32_t>(modules)});
  for (const auto& [name, module] : index.modulesOfSymbols) {
    rows.put(builtin_index::Symbol{nameOffset, static_cast<uint32_t>(name.size()), module});
    nameOffset += name.size();
    names += name;
  }
  // Bitcode is read as 32-bit words.
  names.resize(names.size() + (-nameOffset & 3u));
  uint32_t codeOffset = nameOffset + (-nameOffset & 3u);
  for (const std::string& module : index.modules) {
    rows.put(builtin_index::Module{codeOffset, static_cast<uint32_t>(module.size())});
    codeOffset += module.size();
    code += module;
  }
  quern::Bytes file = rows.take();
  for (const std::string& part : {names, code}) {
    const auto* bytes = reinterpret_cast<const std::byte*>(part.data());
    file.insert(file.end(), bytes, bytes + part.size());
  }
  return file;
}

} // namespace

int main(int count, char** values) {
  if (count != 3) {
    llvm::errs() << "usage: quern-make-index LIBRARY.bc OUTPUT\n";
    return 2;
  }
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::unique_ptr<llvm::Module> library = llvm::parseIRFile(values[1], problem, context);
  if (!library) {
    problem.print("quern-make-index", llvm::errs());
    return 1;
  }
  nameEverything(*library);
  const quern::Bytes file = encode(split(*library));
  std::error_code error;
  llvm::raw_fd_ostream output(values[2], error);
  if (error) {
    llvm::errs() << "quern-make-index: " << values[2] << ": " << error.message() << "\n";
    return 1;
  }
  output.write(reinterpret_cast<const char*>(file.data()), file.size());
  return 0;
}

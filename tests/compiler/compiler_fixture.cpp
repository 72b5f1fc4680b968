#include "compiler_fixture.h"

#include <algorithm>

namespace quern::test {

CompilerTest::CompilerTest() : compiler(*quernCompiler(compiler::interfaceVersion)) {
  target.description = "x86_64;cpu=x86-64-v3";
  target.features = {"cl_khr_byte_addressable_store",
                     "cl_khr_fp64",
                     "cl_khr_global_int32_base_atomics",
                     "__opencl_c_fp64",
                     "__opencl_c_generic_address_space",
                     "__opencl_c_int64",
                     "__opencl_c_program_scope_global_variables"};
}

compiler::Compiled CompilerTest::compile(std::string_view source,
                                         const std::vector<compiler::Header>& headers) {
  return compiler.compile(source, headers, options, target, dump);
}

compiler::Compiled CompilerTest::link(const std::vector<Bytes>& programs) {
  const std::vector<std::span<const std::byte>> spans(programs.begin(), programs.end());
  return compiler.link(spans, options, target);
}

compiler::Generated CompilerTest::build(std::string_view source) {
  const compiler::Compiled compiled = compile(source);
  if (!compiled.ok)
    return {.ok = false, .log = compiled.log, .image = {}};
  const compiler::Compiled linked = link({compiled.ir});
  if (!linked.ok)
    return {.ok = false, .log = linked.log, .image = {}};
  return compiler.generate(linked.ir, options, target, dump);
}

const abi::KernelDescription& CompilerTest::kernel(const compiler::Generated& generated,
                                                   const std::string& name) {
  const auto& kernels = generated.image.kernels;
  const auto found = std::ranges::find(kernels, name, &abi::KernelDescription::name);
  if (found == kernels.end())
    throw std::runtime_error("no kernel " + name + "; the log is:\n" + generated.log);
  return *found;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

} // namespace quern::test

#include <thread>

#include "compiler_fixture.h"

namespace quern::test {
namespace {

class ConcurrencyTest : public CompilerTest {};

TEST_F(ConcurrencyTest, ManyThreadsCompileAtOnce) {
  const Bytes expected =
      build("kernel void k(global int* p) { p[get_global_id(0)] = 3; }").image.code;
  ASSERT_FALSE(expected.empty());
  std::vector<std::thread> threads;
  std::vector<Bytes> code(8);
  for (size_t i = 0; i < code.size(); ++i)
    threads.emplace_back([&, i] {
      // Every other thread meets an error on its way.
      if (i % 2)
        compiler.compile("kernel void k( {", {}, options, target, dump);
      code[i] = build("kernel void k(global int* p) { p[get_global_id(0)] = 3; }").image.code;
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const Bytes& one : code)
    EXPECT_EQ(one, expected);
}

} // namespace
} // namespace quern::test

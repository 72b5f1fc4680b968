// printf: each program runs in a child process whose standard output is compared.
#include "kernels/child_process.h"
#include "kernels/kernel_fixture.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <unistd.h>

namespace quern::tests {
namespace {

QUERN_CHILD(printKernel) {
  Buffer<cl_int> out(std::stoul(arguments[1]));
  run(build(arguments[0]), "k", {{out.size()}, {std::stoul(arguments[2])}}, out);
  for (cl_int value : out.read())
    if (value != 0)
      return 1;
  // What the kernel printed must be out by now: the child ends without flushing.
  _exit(0);
}

std::string printed(const std::string& source, size_t global = 1, size_t local = 1) {
  ChildResult result =
      runChild({"printKernel", {source, std::to_string(global), std::to_string(local)}});
  EXPECT_EQ(result.exitCode, 0) << result;
  return result.output;
}

/// The output of one work-item that runs `statements`.
std::string printedBy(const std::string& statements) {
  return printed("kernel void k(global int* out) {\n" + statements + "\n}");
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    result.push_back(line);
  return result;
}

TEST(Printf, integers) {
  EXPECT_EQ(printedBy(R"(
    printf("%d|%i|%5d|%-5d|%05d|%+d|% d\n", 42, -7, 42, 42, 42, 42, 42);
    printf("%u|%o|%#o|%x|%X|%#x|%#X\n", 4000000000u, 8u, 8u, 255u, 255u, 255u, 255u);
    printf("%.3d|%8.3d|%-8.3d|%.0d|\n", 5, 5, 5, 0);
    printf("%hd|%hhd|%hu|%hhu|%ld|%lu|%lx\n", (short)-5, (char)-6, (ushort)65535, (uchar)255, -5000000000L, 18446744073709551615UL, 0x123456789abcUL);
    printf("%hhd|%hd\n", 300, 70000);
    printf("%d|%d|%d\n", (char)-1, (uchar)200, true);)"),
            "42|-7|   42|42   |00042|+42| 42\n"
            "4000000000|10|010|ff|FF|0xff|0XFF\n"
            "005|     005|005     ||\n"
            "-5|-6|65535|255|-5000000000|18446744073709551615|123456789abc\n"
            "44|4464\n"
            "-1|200|1\n");
}

// Of OpenCL C 3.1.
TEST(Printf, sizesAndDifferences) {
  EXPECT_EQ(printedBy(R"(
    printf("%zu|%zd|%zx|%zo|%5zi|\n", (size_t)10000000000, (size_t)-7, (size_t)255, (size_t)8, (size_t)42);
    global int* p = 0;
    printf("%td|%ti|%tX|%tu\n", (p + 5000000000) - p, p - (p + 3), (ptrdiff_t)0xABC, (ptrdiff_t)1);)"),
            "10000000000|-7|ff|10|   42|\n"
            "5000000000|-3|ABC|1\n");
}

TEST(Printf, floatingPoint) {
  EXPECT_EQ(printedBy(R"(
    printf("%f|%.2f|%8.3f|%-8.1f|%+.0f|%#.0f|%08.2f\n", 1.5f, 3.14159f, 2.5f, 2.5f, 7.0f, 7.0f, -1.25f);
    printf("%e|%.3E|%g|%G|%g|%g\n", 12345.678, 0.00012, 0.0001, 1e20, 100000.0, 1000000.0);
    printf("%a|%A|%.1a\n", 3.0f, 0.5f, 1.0);
    printf("%f|%F|%f|%e|%g|%5.1f\n", INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY);
    printf("%.17g|%lf|%.10le\n", 0.1, 2.5, 1.0 / 3);
    float f = 0.1f;
    printf("%.9g|%g|%g\n", f, 0.0f, -0.0f);)"),
            "1.500000|3.14|   2.500|2.5     |+7|7.|-0001.25\n"
            "1.234568e+04|1.200E-04|0.0001|1E+20|100000|1e+06\n"
            "0x1.8p+1|0X1P-1|0x1.0p+0\n"
            "inf|INF|-inf|inf|-inf|  inf\n"
            "0.10000000000000001|2.500000|3.3333333333e-01\n"
            "0.100000001|0|-0\n");
  std::string text = printedBy(R"(printf("%f|%F|%5g", NAN, NAN, NAN);)");
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  EXPECT_EQ(text, "nan|NAN|  nan");
}

TEST(Printf, charactersStringsAndPercent) {
  EXPECT_EQ(printedBy(R"(
    printf("%c%c%c|%3c|%-3c|\n", 'a', 98, (char)99, 'd', 'e');
    printf("%s|%10s|%-10s|%.2s|%%|100%%\n", "text", "right", "left", "cut");
    printf("plain\n");
    printf("%s%s", "two", " strings\n");
    printf("");
    printf("\ttab \\ \"quoted\"\n");)"),
            "abc|  d|e  |\n"
            "text|     right|left      |cu|%|100%\n"
            "plain\ntwo strings\n\ttab \\ \"quoted\"\n");
}

TEST(Printf, stringsFromConstantVariables) {
  EXPECT_EQ(printed(R"(
    constant char format[] = "%s and %d\n";
    constant char name[] = "a name";
    constant char* constant names[2] = {"zero", "one"};
    kernel void k(global int* out) {
      printf(format, name, 5);
      for (int i = 0; i < 2; ++i)
        printf("%s ", i ? "odd" : "even");
      printf("\n");
    })"),
            "a name and 5\neven odd \n");
}

TEST(Printf, vectors) {
  EXPECT_EQ(
      printedBy(R"(
    float4 f = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
    uchar4 uc = (uchar4)(0xfa, 0xfb, 0xfc, 0xfd);
    printf("%2.2v4hlf|%#v4hhx|%v3hld|%v2ld|%v4hd\n", f, uc, (int3)(-1, 2, -3), (long2)(5000000000L, -6), (short4)(1, -2, 3, -4));
    printf("%v8hhd|%v16hhu\n", (char8)(-1, 2, -3, 4, 5, 6, 7, 8), (uchar16)(255));
    printf("%v2lf|%v2le|%v4hlg|%5v2hld|%-5v2hld|%05v2hld\n", (double2)(0.5, -1.5), (double2)(1, 2), f, (int2)(1, 22), (int2)(1, 22), (int2)(1, 22));
    printf("%v2hla|%v8hlx\n", (float2)(1, 2), (uint8)(10, 11, 12, 13, 14, 15, 16, 17));)"),
      "1.00,2.00,3.00,4.00|0xfa,0xfb,0xfc,0xfd|-1,2,-3|5000000000,-6|1,-2,3,-4\n"
      "-1,2,-3,4,5,6,7,8|255,255,255,255,255,255,255,255,255,255,255,255,255,255,255,255\n"
      "0.500000,-1.500000|1.000000e+00,2.000000e+00|1,2,3,4|    1,   22|1    ,22   |00001,00022\n"
      "0x1p+0,0x1p+1|a,b,c,d,e,f,10,11\n");
}

TEST(Printf, pointers) {
  std::vector<std::string> text = lines(printedBy(R"(
    local int l;
    int own = 1;
    printf("%p\n%p\n%p\n", out, &l, &own);)"));
  ASSERT_EQ(text.size(), 3u);
  for (const std::string& line : text)
    EXPECT_FALSE(line.empty());
  EXPECT_NE(text[0], text[1]);
}

TEST(Printf, manyArguments) {
  std::string format, values, expected;
  for (int i = 0; i < 40; ++i) {
    format += i % 3 == 0 ? "%d " : i % 3 == 1 ? "%g " : "%lu ";
    values += ", " + std::to_string(i) + (i % 3 == 0 ? "" : i % 3 == 1 ? ".5f" : "ul");
    expected += std::to_string(i) + (i % 3 == 1 ? ".5 " : " ");
  }
  EXPECT_EQ(printedBy("printf(\"" + format + "\"" + values + ");"), expected);
}

TEST(Printf, orderWithinAWorkItem) {
  std::string text = printed(R"(
    void say(int g, int t) { printf("item %d: function %d\n", g, t); }
    kernel void k(global int* out) {
      int g = get_global_id(0);
      for (int t = 0; t < 5; ++t) {
        printf("item %d: loop %d\n", g, t);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t % 2)
          say(g, t);
      }
      out[g] = printf("item %d: end\n", g);
    })",
                             24, 8);
  std::vector<std::vector<std::string>> byItem(24);
  for (const std::string& line : lines(text)) {
    int item = -1;
    ASSERT_EQ(std::sscanf(line.c_str(), "item %d", &item), 1) << line;
    ASSERT_TRUE(item >= 0 && item < 24) << line;
    byItem[item].push_back(line.substr(line.find(": ") + 2));
  }
  for (const auto& item : byItem)
    EXPECT_EQ(item, (std::vector<std::string>{"loop 0", "loop 1", "function 1", "loop 2", "loop 3",
                                              "function 3", "loop 4", "end"}));
}

TEST(Printf, linesOfManyWorkItemsStayWhole) {
  std::string text = printed(R"(
    kernel void k(global int* out) {
      if (get_global_id(0) % 3 == 0)
        printf("item %d of %d says %s %v2hld\n", (int)get_global_id(0), (int)get_global_size(0), "hello", (int2)(1, 2));
    })",
                             6000, 20);
  std::vector<std::string> got = lines(text), expected;
  for (int g = 0; g < 6000; g += 3)
    expected.push_back("item " + std::to_string(g) + " of 6000 says hello 1,2");
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(got, expected);
}

TEST(Printf, muchOutputOfOneWorkItem) {
  std::vector<std::string> got = lines(printedBy(R"(
    for (int i = 0; i < 5000; ++i)
      printf("line %d\n", i);)"));
  ASSERT_EQ(got.size(), 5000u);
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], "line " + std::to_string(i));
}

QUERN_CHILD(printBetweenHostOutput) {
  Program program = build("kernel void k(int x) { printf(\"kernel %d\\n\", x); }");
  std::printf("before\n");
  run(program, "k", {{1}}, cl_int{1});
  std::printf("between\n");
  run(program, "k", {{1}}, cl_int{2});
  std::printf("after\n");
  return 0;
}

TEST(Printf, keepsItsPlaceBetweenTheHostsOutput) {
  ChildResult result = runChild({"printBetweenHostOutput"});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_EQ(result.output, "before\nkernel 1\nbetween\nkernel 2\nafter\n");
}

QUERN_CHILD(printThenEvent) {
  Program program = build("kernel void k(int x) { printf(\"kernel %d\\n\", x); }");
  Kernel kernel(program, "k");
  kernel.setAll(cl_int{1});
  size_t one = 1;
  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(Device::get().queue, kernel.handle(), 1, nullptr, &one, nullptr, 0,
                               nullptr, &event),
        "clEnqueueNDRangeKernel");
  check(clWaitForEvents(1, &event), "clWaitForEvents");
  _exit(0);
}

TEST(Printf, isOutWhenTheEventIsComplete) {
  ChildResult result = runChild({"printThenEvent"});
  EXPECT_EQ(result.exitCode, 0) << result;
  EXPECT_EQ(result.output, "kernel 1\n");
}

} // namespace
} // namespace quern::tests

// C++ for OpenCL 1.0 and 2021.
#include "kernels/kernel_fixture.h"

#include <CL/cl_ext.h>

namespace quern::tests {
namespace {

class CppForOpenCl : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override { QUERN_NEEDS("cl_ext_cxx_for_opencl"); }
  Program buildCpp(std::string_view source) const {
    return build(source, std::string("-cl-std=") + GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(Standards, CppForOpenCl, testing::Values("CLC++", "CLC++1.0", "CLC++2021"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

TEST_P(CppForOpenCl, versionMacros) {
  Buffer<cl_int> out(2);
  run(buildCpp(R"(
    kernel void k(global int* out) {
      out[0] = __OPENCL_CPP_VERSION__;
    #ifdef __OPENCL_C_VERSION__
      out[1] = 1;
    #endif
    })"),
      "k", {{1}}, out);
  const bool is2021 = std::string_view(GetParam()) == "CLC++2021";
  EXPECT_EQ(out.read(), (std::vector<cl_int>{is2021 ? 202100 : 100, 0}));
  EXPECT_EQ(Device::get().info<cl_version>(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT),
            CL_MAKE_VERSION(1u, 0u, 0u));
}

TEST_P(CppForOpenCl, templatesReferencesAndOverloads) {
  Buffer<cl_int> out(64);
  run(buildCpp(R"(
    namespace maths {
      template <typename T, int times> struct Scale {
        static T apply(const T& x) { return x * times; }
      };
      template <typename T> struct Scale<T, 0> {
        static T apply(const T&) { return T(-1); }
      };
      constexpr int square(int x) { return x * x; }
      int which(int) { return 1; }
      int which(float) { return 2; }
    }
    template <typename T> void exchange(T& a, T& b) { T old = a; a = b; b = old; }
    kernel void k(global int* out) {
      int id = get_global_id(0);
      int a = maths::Scale<int, 3>::apply(id), b = maths::Scale<int, 0>::apply(id);
      exchange(a, b);
      int c[maths::square(2)] = {maths::which(1), maths::which(1.0f), a, b};
      auto sum = [](const int (&values)[4]) { int s = 0; for (int v : values) s = s * 2 + v; return s; };
      out[id] = sum(c);
    })"),
      "k", {{64}, {8}}, out);
  EXPECT_EQ(out.read(),
            tabulate<cl_int>(64, [](int i) { return ((1 * 2 + 2) * 2 - 1) * 2 + 3 * i; }));
}

TEST_P(CppForOpenCl, classesAcrossBarriers) {
  Buffer<cl_float> out(64);
  run(buildCpp(R"(
    class Accumulator {
    public:
      explicit Accumulator(float start) : total(start) {}
      Accumulator& operator+=(float x) { total += x; ++count; return *this; }
      float mean() const { return total / count; }
    private:
      float total;
      int count = 0;
    };
    kernel void k(global float* out) {
      local float values[16];
      size_t l = get_local_id(0);
      Accumulator sum(l);
      values[l] = get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t i = 0; i < get_local_size(0); ++i)
        sum += values[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = sum.mean();
    })"),
      "k", {{64}, {16}}, out);
  EXPECT_EQ(out.read(), tabulate<cl_float>(64, [](int i) {
              return (float(i % 16) + 16 * float(i / 16 * 16) + 120) / 16;
            }));
}

TEST_P(CppForOpenCl, programScopeObjectsAreConstructed) {
  Buffer<cl_int> out(3);
  const Program program = buildCpp(R"(
    struct Counter {
      Counter(int start) : value(start * 2) {}
      int next() { return value++; }
      int value;
    };
    global Counter counter(21);
    constant int table[] = {1, 10, 100};
    kernel void k(global int* out) {
      out[0] = counter.next();
      out[1] = counter.value;
      int sum = 0;
      for (auto x : table)
        sum += x;
      out[2] = sum;
    })");
  run(program, "k", {{1}}, out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{42, 43, 111}));
  run(program, "k", {{1}}, out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{43, 44, 111}));
}

TEST_P(CppForOpenCl, programsOfBothLanguagesLink) {
  cl_int code = CL_SUCCESS;
  const cl_device_id device = Device::get().id;
  const auto compile = [&](const char* source, const std::string& options) {
    Program program = createProgram(source);
    check(clCompileProgram(program.handle(), 1, &device, options.c_str(), 0, nullptr, nullptr,
                           nullptr, nullptr),
          "clCompileProgram");
    return program;
  };
  const Program c = compile("int twice(int x) { return 2 * x; }", openClC3);
  const Program cpp = compile(R"(
    extern "C" int twice(int x);
    template <typename T> T thrice(T x) { return x + twice(x); }
    kernel void k(global int* out) { *out = thrice(14); })",
                              std::string("-cl-std=") + GetParam());
  const cl_program parts[] = {c.handle(), cpp.handle()};
  const Program linked(
      clLinkProgram(Device::get().context, 1, &device, "", 2, parts, nullptr, nullptr, &code));
  check(code, "clLinkProgram");
  Buffer<cl_int> out(1);
  run(linked, "k", {{1}}, out);
  EXPECT_EQ(out.read()[0], 42);
}

} // namespace
} // namespace quern::tests

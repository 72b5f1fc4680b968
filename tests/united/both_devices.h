#pragma once

#include <array>
#include <string>
#include <vector>

#include <CL/cl.h>
#include <gtest/gtest.h>

namespace quern::united_tests {

/// One program with the same buffers on the united device and on the CPU.
class BothDevices : public testing::Test {
protected:
  BothDevices();
  ~BothDevices() override;

  /// The devices of a test: the united one first.
  struct Place {
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;
    std::vector<cl_mem> memory;
  };
  std::array<Place, 2>& places() { return places_; }

  void build(const std::string& source);
  /// A buffer of `count` random numbers; its number.
  template <typename T> size_t buffer(size_t count) {
    std::vector<T> values(count);
    for (T& value : values)
      value = static_cast<T>(random() % 1000);
    return addBuffer(values.data(), values.size() * sizeof(T));
  }
  template <typename T> size_t buffer(const std::vector<T>& values) {
    return addBuffer(values.data(), values.size() * sizeof(T));
  }
  /// The part of a buffer of so many bytes from `offset` on.
  size_t subBuffer(size_t buffer, size_t offset, size_t bytes);

  struct Argument {
    enum class Kind { Buffer, Int, Local } kind;
    size_t value;
  };
  static Argument memory(size_t number) { return {Argument::Kind::Buffer, number}; }
  static Argument number(int value) {
    return {Argument::Kind::Int, static_cast<size_t>(static_cast<unsigned>(value))};
  }
  static Argument local(size_t bytes) { return {Argument::Kind::Local, bytes}; }

  struct Range {
    std::vector<size_t> global, local = {}, offset = {};
  };
  /// Runs a kernel on both devices.
  void run(const std::string& kernel, const Range& range, const std::vector<Argument>& arguments);

  /// All buffers have the same bytes on both devices.
  void expectSame();
  /// The report says that the kernel was split last time, along `dimension`.
  void expectSplit(const std::string& kernel, unsigned dimension = 0);
  /// The report says that it was not, with `why` in the reason.
  void expectWhole(const std::string& kernel, const std::string& why);

private:
  size_t addBuffer(const void* values, size_t bytes);
  static std::string reportOf(const std::string& kernel);
  static unsigned random();

  std::array<Place, 2> places_;
};

/// Throws where a call failed.
void check(cl_int code, const char* call);

} // namespace quern::united_tests

// cl_intel_subgroups, with char, short and long, and blocks of local memory, in sub-groups of each
// size that kernels may require.
#include "kernels/images/device_image.h"
#include "kernels/sub_group_fixture.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include <CL/cl_ext.h>

namespace quern::tests {
namespace {

using Bytes = std::vector<cl_uchar>;

/// Work-groups of as many work-items, full of sub-groups of every size: in one row, where a
/// sub-group may be a packet, and in rows in the middle of which sub-groups end.
constexpr size_t local = 192, count = 2 * local;
const Range ranges[] = {{{count}, {local}}, {{24, 16}, {12, 16}}};
/// The index of a work-item in `count`, for both.
constexpr const char* header =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define INDEX (get_group_id(0) * 192 + get_local_linear_id())\n"
    "#define KERNEL __attribute__((intel_reqd_sub_group_size(SIZE))) kernel void\n";

class IntelSubGroups : public testing::Test {
protected:
  void SetUp() override {
    QUERN_NEEDS("OpenCL C 3.0.0", "cl_intel_required_subgroup_size", "cl_intel_subgroups",
                "cl_intel_subgroups_char", "cl_intel_subgroups_short", "cl_intel_subgroups_long",
                "cl_intel_subgroup_local_block_io");
  }

  /// Calls `body(program, size)` for each size that sub-groups may have, or for the second one.
  static void forEachSize(const std::string& source, bool isEach,
                          const std::function<void(const Program&, size_t)>& body) {
    size_t bytes = 0;
    check(clGetDeviceInfo(Device::get().id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &bytes),
          "clGetDeviceInfo");
    std::vector<size_t> sizes(bytes / sizeof(size_t));
    check(clGetDeviceInfo(Device::get().id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, bytes, sizes.data(),
                          nullptr),
          "clGetDeviceInfo");
    ASSERT_FALSE(sizes.empty());
    if (!isEach)
      sizes = {sizes[std::min<size_t>(1, sizes.size() - 1)]};
    for (const size_t size : sizes) {
      SCOPED_TRACE("sub-groups of " + std::to_string(size));
      body(build(header + source, "-cl-std=CL3.0 -DSIZE=" + std::to_string(size)), size);
    }
  }

  /// Blocks of each type in sub-groups of each size, or of each width.
  static void moveBlocksOfMemory(bool isEachType);
  static void moveBlocksOfImages(bool isEachType);
};

/// No two of `bytes` in a row have the same contents, nor have two values of any type.
Bytes numbered(size_t bytes) {
  Bytes all(bytes);
  for (size_t i = 0; i < bytes; ++i)
    all[i] = static_cast<cl_uchar>(i * 37 + i / 251 * 11);
  return all;
}

struct Type {
  const char* name;
  size_t bytes;
  bool isForEverySize; ///< or for one, because there are many types
};

TEST_F(IntelSubGroups, shuffles) {
  constexpr Type types[] = {{"char", 1, false},  {"uchar16", 16, false}, {"ushort", 2, false},
                            {"int3", 16, false}, {"uint8", 32, false},   {"float", 4, true},
                            {"ulong", 8, false}, {"double", 8, false},   {"half", 2, false}};
  constexpr size_t results = 5;
  constexpr const char* source = R"(
    KERNEL k(global const T* first, global const T* second, global T* out) {
      T x = first[INDEX], y = second[INDEX];
      uint id = get_sub_group_local_id(), delta = id * 5 % (SIZE + 1);
      global T* own = out + 5 * INDEX;
      own[0] = intel_sub_group_shuffle(x, (id * 7 + 3) % SIZE);
      own[1] = intel_sub_group_shuffle_xor(x, 3);
      own[2] = intel_sub_group_shuffle_down(x, y, 1);
      own[3] = intel_sub_group_shuffle_up(x, y, 3);
      own[4] = intel_sub_group_shuffle_down(x, y, delta);
    })";
  for (const Type& type : types) {
    SCOPED_TRACE(type.name);
    const std::string typed = std::string("typedef ") + type.name + " T;" + source;
    forEachSize(typed, type.isForEverySize, [&](const Program& program, size_t size) {
      const Bytes first = numbered(count * type.bytes);
      const Bytes second(first.rbegin(), first.rend());
      Bytes expected;
      for (size_t i = 0; i < count; ++i) {
        const size_t begin = i / size * size, id = i % size;
        const auto add = [&](const Bytes& from, size_t lane) {
          const auto* start = &from[(begin + lane) * type.bytes];
          expected.insert(expected.end(), start, start + type.bytes);
        };
        /// Of both, side by side.
        const auto addOfBoth = [&](size_t lane) {
          lane < size ? add(first, lane) : add(second, lane - size);
        };
        add(first, (id * 7 + 3) % size);
        add(first, id ^ 3);
        addOfBoth(id + 1);
        addOfBoth(id + size - 3);
        addOfBoth(id + id * 5 % (size + 1));
      }
      for (const Range& range : ranges) {
        Buffer<cl_uchar> x(first), y(second), out(count * results * type.bytes);
        run(program, "k", range, x, y, out);
        Bytes actual = out.read();
        if (std::string(type.name) == "int3") // whose fourth element nobody sets
          for (size_t i = 0; i < actual.size(); i += 16)
            std::copy_n(&expected[i + 12], 4, &actual[i + 12]);
        EXPECT_EQ(expected, actual);
      }
    });
  }
}

TEST_F(IntelSubGroups, placesAreTakenModuloTheSize) {
  constexpr const char* source = R"(
    KERNEL k(global const int* in, global const uint* places, global int* out, uint same) {
      const int x = in[INDEX];
      const uint place = places[INDEX];
      global int* own = out + 5 * INDEX;
      own[0] = sub_group_broadcast(x, SIZE + 3);
      own[1] = sub_group_broadcast(x, same);
      own[2] = intel_sub_group_shuffle(x, place);
      own[3] = sub_group_shuffle_up(x, place);
      own[4] = sub_group_shuffle_down(x, place);
    })";
  forEachSize(source, true, [](const Program& program, size_t size) {
    std::vector<cl_int> in(count), expected;
    std::vector<cl_uint> places(count);
    for (size_t i = 0; i < count; ++i) {
      in[i] = static_cast<cl_int>(i * 7919 % 1009);
      places[i] = static_cast<cl_uint>(i * 37 % 101);
    }
    const auto same = static_cast<cl_uint>(5 * size + 1);
    for (size_t i = 0; i < count; ++i) {
      const size_t begin = i / size * size, id = i - begin, place = places[i];
      // What lies outside relative to the own place is the own value.
      expected.insert(expected.end(),
                      {in[begin + 3], in[begin + 1], in[begin + place % size],
                       in[place <= id ? i - place : i], in[id + place < size ? i + place : i]});
    }
    for (const Range& range : ranges) {
      Buffer<cl_int> input(in), out(expected.size());
      Buffer<cl_uint> at(places);
      run(program, "k", range, input, at, out, same);
      EXPECT_EQ(expected, out.read());
    }
  });
}

struct BlockType {
  const char* suffix;
  const char* name;
  size_t bytes;
  size_t most; ///< elements of a work-item
};
constexpr BlockType blockTypes[] = {{"", "uint", 4, 8},
                                    {"_ui", "uint", 4, 8},
                                    {"_uc", "uchar", 1, 16},
                                    {"_us", "ushort", 2, 16},
                                    {"_ul", "ulong", 8, 8}};

/// Calls `body(type, width, number)`, with the number as functions have it in their names: for each
/// type with one width, or two types with each.
void forEachBlock(bool isEachType,
                  const std::function<void(const BlockType&, size_t, const std::string&)>& body) {
  for (const BlockType& type : blockTypes)
    for (size_t width = 1; width <= type.most; width *= 2) {
      const bool isOfTwo = type.bytes == 1 || *type.suffix == 0;
      if (isEachType ? width != (type.bytes == 8 ? 1 : 2) : !isOfTwo)
        continue;
      SCOPED_TRACE(std::string(type.name) + std::to_string(width));
      body(type, width, width == 1 ? "" : std::to_string(width));
    }
}

std::string blockFunction(const char* name, const BlockType& type, const std::string& number) {
  return std::string("intel_sub_group_block_") + name + type.suffix + number;
}

void IntelSubGroups::moveBlocksOfMemory(bool isEachType) {
  // Each sub-group reads a block, once from global and once from local memory, and writes twice
  // the values to the other one.
  std::string source;
  forEachBlock(isEachType, [&](const BlockType& type, size_t width, const std::string& number) {
    const std::string t = type.name, n = std::to_string(width);
    source += "KERNEL k" + std::string(type.suffix) + n + "(global const " + t + "* in, global " +
              t + "* out, global " + t + "* values) { local " + t + " memory[192 * " + n + "];" +
              "size_t first = get_sub_group_id() * SIZE * " + n +
              ", group = get_group_id(0) * 192 * " + n + ";" + t + number +
              " x = " + blockFunction("read", type, number) + "(in + group + first);" +
              blockFunction("write", type, number) + "(memory + first, x * (" + t + ")2);" +
              "barrier(CLK_LOCAL_MEM_FENCE); " + t + number +
              " y = " + blockFunction("read", type, number) + "(memory + first);" +
              blockFunction("write", type, number) + "(out + group + first, y);" + "((global " + t +
              number + "*)values)[INDEX] = x; }\n";
  });
  forEachSize(source, isEachType, [&](const Program& program, size_t size) {
    forEachBlock(isEachType, [&](const BlockType& type, size_t width, const std::string&) {
      const size_t n = type.bytes;
      const Bytes all = numbered(count * width * n);
      Bytes doubled = all, values;
      for (size_t place = 0; place < all.size(); place += n) {
        unsigned carry = 0;
        for (size_t b = 0; b < n; ++b) {
          const unsigned twice = 2u * all[place + b] + carry;
          doubled[place + b] = static_cast<cl_uchar>(twice);
          carry = twice >> 8;
        }
      }
      for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < width; ++k) {
          const auto* start = &all[(i / size * size * width + k * size + i % size) * n];
          values.insert(values.end(), start, start + n);
        }
      for (const Range& range : ranges) {
        Buffer<cl_uchar> in(all), out(all.size()), own(all.size());
        run(program, (std::string("k") + type.suffix + std::to_string(width)).c_str(), range, in,
            out, own);
        EXPECT_EQ(values, own.read());
        EXPECT_EQ(doubled, out.read());
      }
    });
  });
}

TEST_F(IntelSubGroups, blocksOfMemoryOfEachType) {
  moveBlocksOfMemory(true);
}

TEST_F(IntelSubGroups, blocksOfMemoryOfEachWidth) {
  moveBlocksOfMemory(false);
}

TEST_F(IntelSubGroups, blocksOfMemoryBeginWhereTheFirstWorkItemSays) {
  // The others' places lie further on by a stride, or anywhere.
  constexpr const char* source = R"(
    KERNEL k(global const uint* in, global const uint* shifts, global uint* out,
             global uint* values) {
      local uint memory[2 * 192];
      const size_t begin = get_group_id(0) * 2 * 192 + get_sub_group_id() * 2 * SIZE;
      const uint id = get_sub_group_local_id(), shift = id == 0 ? 0 : shifts[INDEX];
      const uint2 strided = intel_sub_group_block_read2(in + begin + id * 3);
      const uint2 shifted = intel_sub_group_block_read2(in + begin + shift);
      local uint* own = memory + get_sub_group_id() * 2 * SIZE;
      intel_sub_group_block_write2(own + id, strided + shifted);
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      const uint2 y = intel_sub_group_block_read2(own + shift);
      intel_sub_group_block_write2(out + begin + shift, y);
      ((global uint2*)values)[INDEX] = y;
    })";
  forEachSize(source, true, [](const Program& program, size_t size) {
    std::vector<cl_uint> all(2 * count), shifts(count), doubled, values;
    for (size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<cl_uint>(i * 7919);
      doubled.push_back(2 * all[i]);
    }
    for (size_t i = 0; i < count; ++i) {
      shifts[i] = static_cast<cl_uint>(i * 5 % 97);
      for (size_t k = 0; k < 2; ++k)
        values.push_back(2 * all[i / size * size * 2 + k * size + i % size]);
    }
    for (const Range& range : ranges) {
      Buffer<cl_uint> in(all), places(shifts), out(all.size()), own(all.size());
      run(program, "k", range, in, places, out, own);
      EXPECT_EQ(values, own.read());
      EXPECT_EQ(doubled, out.read());
    }
  });
}

/// Rows of an image as bytes.
class Rows {
public:
  Rows(const HostImage& image, size_t elementBytes)
      : bytes_(image.bytes()), width_(image.size()[0] * elementBytes), height_(image.size()[1]) {}

  /// The `n` bytes at a place, or at the nearest one that is inside.
  const cl_uchar* nearest(long x, long y, size_t n) const {
    const long last = static_cast<long>(width_ - n);
    return &bytes_[std::clamp(y, 0L, static_cast<long>(height_) - 1) * width_ +
                   static_cast<size_t>(std::clamp(x, 0L, last))];
  }
  bool has(long x, long y, size_t n) const {
    return x >= 0 && x + static_cast<long>(n) <= static_cast<long>(width_) && y >= 0 &&
           y < static_cast<long>(height_);
  }
  size_t offset(long x, long y) const { return static_cast<size_t>(y) * width_ + x; }

private:
  const std::vector<uint8_t>& bytes_;
  size_t width_, height_;
};

void IntelSubGroups::moveBlocksOfImages(bool isEachType) {
  std::string source;
  forEachBlock(isEachType, [&](const BlockType& type, size_t width, const std::string& number) {
    const std::string n = std::to_string(width), t = type.name;
    for (const std::string access : {"read_only", "read_write"})
      source += "KERNEL " + access + type.suffix + n + "(" + access +
                " image2d_t image, int2 at, " + "global " + t + number +
                "* values) { values[INDEX] = " + blockFunction("read", type, number) +
                "(image, at); }\n";
    for (const std::string access : {"write_only", "write_back"})
      source += "KERNEL " + access + type.suffix + n + "(" +
                (access == "write_only" ? access : "read_write") +
                " image2d_t image, int2 at, global const " + t + number + "* values) { " +
                blockFunction("write", type, number) + "(image, at, values[INDEX]); }\n";
  });
  // 40 bytes in a row, 13 rows.
  const HostImage host(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_UNSIGNED_INT8}, {10, 13, 1});
  const Rows rows(host, 4);
  // One sub-group, so that none writes what another one does.
  forEachSize(source, isEachType, [&](const Program& program, size_t size) {
    forEachBlock(isEachType, [&](const BlockType& type, size_t width, const std::string&) {
      const std::string name = type.suffix + std::to_string(width);
      for (const auto [x, y] : {std::pair(8, 2), std::pair(-4, -3), std::pair(24, 9)}) {
        const cl_int2 at = {{x, y}};
        const size_t n = type.bytes;
        Bytes expected;
        HostImage written = host;
        const Bytes data = numbered(size * width * n);
        for (size_t i = 0; i < size; ++i)
          for (size_t k = 0; k < width; ++k) {
            const long bx = x + static_cast<long>(i * n), by = y + static_cast<long>(k);
            const cl_uchar* value = rows.nearest(bx, by, n);
            expected.insert(expected.end(), value, value + n);
            if (rows.has(bx, by, n))
              std::copy_n(&data[(i * width + k) * n], n, &written.bytes()[rows.offset(bx, by)]);
          }
        for (const char* access : {"read_only", "read_write"}) {
          const DeviceImage image(host);
          Buffer<cl_uchar> values(expected.size());
          run(program, (access + name).c_str(), {{size}, {size}}, image.handle(), at, values);
          EXPECT_EQ(expected, values.read()) << access << " at " << x << ", " << y;
        }
        for (const char* access : {"write_only", "write_back"}) {
          const DeviceImage image(host);
          Buffer<cl_uchar> values(data);
          run(program, (access + name).c_str(), {{size}, {size}}, image.handle(), at, values);
          HostImage result = host;
          image.read(result);
          EXPECT_EQ(written.bytes(), result.bytes()) << access << " at " << x << ", " << y;
        }
      }
    });
  });
}

TEST_F(IntelSubGroups, blocksOfImagesOfEachType) {
  QUERN_NEEDS("__opencl_c_images", "__opencl_c_read_write_images");
  moveBlocksOfImages(true);
}

TEST_F(IntelSubGroups, blocksOfImagesOfEachWidth) {
  QUERN_NEEDS("__opencl_c_images", "__opencl_c_read_write_images");
  moveBlocksOfImages(false);
}

TEST_F(IntelSubGroups, blocksOfImagesBeginWhereTheFirstWorkItemSays) {
  QUERN_NEEDS("__opencl_c_images", "__opencl_c_read_write_images");
  constexpr const char* source = R"(
    KERNEL k(read_only image2d_t from, write_only image2d_t to) {
      const int id = get_sub_group_local_id();
      const uint2 x = intel_sub_group_block_read2(from, (int2)(8 + 4 * id, 2 + id % 2));
      intel_sub_group_block_write2(to, (int2)(4 + id % 3, 5 - id), x);
    })";
  const HostImage host(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_UNSIGNED_INT8}, {40, 13, 1});
  const size_t row = host.size()[0] * 4;
  forEachSize(source, true, [&](const Program& program, size_t size) {
    HostImage expected = host;
    for (size_t y = 0; y < 2; ++y)
      std::copy_n(&host.bytes()[(2 + y) * row + 8], 4 * size, &expected.bytes()[(5 + y) * row + 4]);
    const DeviceImage from(host), to(host);
    run(program, "k", {{size}, {size}}, from.handle(), to.handle());
    HostImage result = host;
    to.read(result);
    EXPECT_EQ(expected.bytes(), result.bytes());
  });
}

template <typename T>
void reduceSmallIntegers(const Program& program, const char* name, size_t size) {
  constexpr size_t results = 10;
  std::vector<T> in(count), expected;
  for (size_t i = 0; i < count; ++i)
    in[i] = static_cast<T>(i * 7919 % 1009);
  for (size_t i = 0; i < count; ++i) {
    const auto begin = in.begin() + static_cast<long>(i / size * size);
    const auto own = in.begin() + static_cast<long>(i), end = begin + static_cast<long>(size);
    const auto sum = [](auto from, auto to) {
      return static_cast<T>(std::accumulate(from, to, 0));
    };
    const T least = std::numeric_limits<T>::lowest(), most = std::numeric_limits<T>::max();
    const auto lowest = [&](auto to) { return begin == to ? most : *std::min_element(begin, to); };
    const auto highest = [&](auto to) {
      return begin == to ? least : *std::max_element(begin, to);
    };
    expected.insert(expected.end(),
                    {sum(begin, end), lowest(end), highest(end), sum(begin, own + 1),
                     lowest(own + 1), highest(own + 1), sum(begin, own), lowest(own), highest(own),
                     begin[static_cast<long>(size) - 2]});
  }
  for (const Range& range : ranges) {
    Buffer<T> input(in), out(count * results);
    run(program, name, range, input, out);
    EXPECT_EQ(expected, out.read()) << name;
  }
}

std::string reductionsOf(const std::string& type) {
  std::string source = "KERNEL k_" + type + "(global const " + type + "* in, global " + type +
                       "* out) { " + type + " x = in[INDEX]; global " + type +
                       "* own = out + 10 * INDEX;";
  size_t place = 0;
  for (const std::string name : {"reduce_", "scan_inclusive_", "scan_exclusive_"})
    for (const std::string operation : {"add", "min", "max"})
      source +=
          "own[" + std::to_string(place++) + "] = intel_sub_group_" + name + operation + "(x);";
  return source + "own[9] = intel_sub_group_broadcast((" + type +
         "4)(x, 0, x, 1), SIZE - 2).z; }\n";
}

TEST_F(IntelSubGroups, reductionsAndBroadcastsOfSmallIntegers) {
  forEachSize(reductionsOf("short"), true, [&](const Program& program, size_t size) {
    reduceSmallIntegers<cl_short>(program, "k_short", size);
  });
  const std::string others = reductionsOf("char") + reductionsOf("uchar") + reductionsOf("ushort");
  forEachSize(others, false, [&](const Program& program, size_t size) {
    reduceSmallIntegers<cl_char>(program, "k_char", size);
    reduceSmallIntegers<cl_uchar>(program, "k_uchar", size);
    reduceSmallIntegers<cl_ushort>(program, "k_ushort", size);
  });
}

TEST_F(IntelSubGroups, areThereInEveryLanguage) {
  for (const char* standard :
       {"", "-cl-std=CL1.2", "-cl-std=CL2.0", openClC3, "-cl-std=CLC++", "-cl-std=CLC++2021"}) {
    SCOPED_TRACE(standard);
    const Program program = build(R"(
      #pragma OPENCL EXTENSION cl_intel_subgroups : enable
      #if !defined(cl_intel_subgroups) || !defined(cl_intel_subgroups_char) || \
          !defined(cl_intel_subgroups_short) || !defined(cl_intel_subgroups_long)
      #error the extensions have no macros
      #endif
      kernel void k(global uint* data) {
        data += get_sub_group_id() * get_max_sub_group_size();
        uint x = intel_sub_group_block_read(data);
        intel_sub_group_block_write(data, intel_sub_group_shuffle_xor(x, 1u));
      })",
                                  standard);
    constexpr size_t items = 64; // full sub-groups of every device
    std::vector<cl_uint> numbers(items), swapped(items);
    for (size_t i = 0; i < items; ++i) {
      numbers[i] = static_cast<cl_uint>(i);
      swapped[i] = static_cast<cl_uint>(i ^ 1);
    }
    Buffer<cl_uint> data(numbers);
    run(program, "k", {{items}, {items}}, data);
    EXPECT_EQ(swapped, data.read());
  }
}

TEST_F(IntelSubGroups, namesThatAProgramDefinesAreItsOwn) {
  const Program program = build(R"(
    int intel_sub_group_shuffle(int x, int y) { return x * y; }
    kernel void k(global int* data) { data[0] = intel_sub_group_shuffle(data[0], 7); })");
  Buffer<cl_int> data(std::vector<cl_int>{6});
  run(program, "k", {{1}, {1}}, data);
  EXPECT_EQ(42, data.read()[0]);
  const BuildOutcome outcome =
      tryBuild("kernel void k(global int* data) { data[0] = intel_sub_group_shuffles(1, 2); }");
  EXPECT_NE(CL_SUCCESS, outcome.code);
  EXPECT_NE(std::string::npos, outcome.log.find("intel_sub_group_shuffles")) << outcome.log;
}

} // namespace
} // namespace quern::tests

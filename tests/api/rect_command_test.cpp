#include <array>
#include <numeric>
#include <random>

#include "opencl_test.h"

namespace quern::test {
namespace {

using Triple = std::array<size_t, 3>;

/// One side of a rect command.
struct Side {
  Triple origin = {0, 0, 0};
  size_t rowPitch = 0;
  size_t slicePitch = 0;
};

size_t addressOf(const Side& side, const Triple& region, size_t x, size_t y, size_t z) {
  const size_t row = side.rowPitch ? side.rowPitch : region[0];
  const size_t slice = side.slicePitch ? side.slicePitch : region[1] * row;
  return (side.origin[2] + z) * slice + (side.origin[1] + y) * row + side.origin[0] + x;
}

/// The rect copy of the specification, byte by byte.
void copyOnHost(const std::vector<unsigned char>& from, const Side& fromSide,
                std::vector<unsigned char>& to, const Side& toSide, const Triple& region) {
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      for (size_t x = 0; x < region[0]; ++x)
        to[addressOf(toSide, region, x, y, z)] = from[addressOf(fromSide, region, x, y, z)];
}

class RectCommandTest : public OpenClTest {
protected:
  static constexpr size_t size = 4096;
  void SetUp() override {
    OpenClTest::SetUp();
    bytes.resize(size);
    for (size_t i = 0; i < size; ++i)
      bytes[i] = static_cast<unsigned char>(i * 7 + i / 256);
    buffer = makeBuffer(bytes);
  }
  cl_int read(cl_mem from, const Side& bufferSide, const Side& hostSide, const Triple& region,
              void* to) {
    return clEnqueueReadBufferRect(queue.get(), from, CL_TRUE, bufferSide.origin.data(),
                                   hostSide.origin.data(), region.data(), bufferSide.rowPitch,
                                   bufferSide.slicePitch, hostSide.rowPitch, hostSide.slicePitch,
                                   to, 0, nullptr, nullptr);
  }
  cl_int write(cl_mem to, const Side& bufferSide, const Side& hostSide, const Triple& region,
               const void* from) {
    return clEnqueueWriteBufferRect(queue.get(), to, CL_TRUE, bufferSide.origin.data(),
                                    hostSide.origin.data(), region.data(), bufferSide.rowPitch,
                                    bufferSide.slicePitch, hostSide.rowPitch, hostSide.slicePitch,
                                    from, 0, nullptr, nullptr);
  }
  cl_int copy(cl_mem from, cl_mem to, const Side& fromSide, const Side& toSide,
              const Triple& region) {
    return clEnqueueCopyBufferRect(queue.get(), from, to, fromSide.origin.data(),
                                   toSide.origin.data(), region.data(), fromSide.rowPitch,
                                   fromSide.slicePitch, toSide.rowPitch, toSide.slicePitch, 0,
                                   nullptr, nullptr);
  }
  std::vector<unsigned char> bytes;
  Memory buffer; ///< holds `bytes`
};

const Triple region = {10, 5, 3};
const Side packed = {{0, 0, 0}, 0, 0};
const Side pitched = {{3, 2, 1}, 16, 16 * 9};
const Side rowsOnly = {{1, 0, 2}, 20, 0};

TEST_F(RectCommandTest, readsWritesAndCopiesBoxes) {
  for (const Side& fromSide : {packed, pitched, rowsOnly})
    for (const Side& toSide : {packed, pitched, rowsOnly}) {
      std::vector<unsigned char> expected(size, 0xaa), host(size, 0xaa);
      copyOnHost(bytes, fromSide, expected, toSide, region);
      ASSERT_EQ(CL_SUCCESS, read(buffer.get(), fromSide, toSide, region, host.data()));
      EXPECT_EQ(expected, host);

      const Memory written = makeBuffer(std::vector<unsigned char>(size, 0xaa));
      ASSERT_EQ(CL_SUCCESS, write(written.get(), toSide, fromSide, region, bytes.data()));
      EXPECT_EQ(expected, contents<unsigned char>(written.get()));

      const Memory copied = makeBuffer(std::vector<unsigned char>(size, 0xaa));
      ASSERT_EQ(CL_SUCCESS, copy(buffer.get(), copied.get(), fromSide, toSide, region));
      EXPECT_EQ(expected, contents<unsigned char>(copied.get()));
    }
}

TEST_F(RectCommandTest, rejectsWrongArguments) {
  std::vector<unsigned char> host(size);
  const Memory target = makeBuffer(size);
  const Memory foreign(
      clCreateBuffer(otherContext.get(), CL_MEM_READ_WRITE, size, nullptr, nullptr));
  // Each of these is wrong on the side of the buffer, of the host, of the source and of the
  // destination alike.
  const Side wrongSides[] = {
      {{0, 0, 0}, 9, 0},           // a row pitch below a row
      {{0, 0, 0}, 16, 16 * 4},     // a slice pitch below a slice
      {{0, 0, 0}, 16, 16 * 5 + 1}, // a slice pitch that is no multiple of the row pitch
  };
  for (const Side& wrong : wrongSides) {
    EXPECT_EQ(CL_INVALID_VALUE, read(buffer.get(), wrong, packed, region, host.data()));
    EXPECT_EQ(CL_INVALID_VALUE, read(buffer.get(), packed, wrong, region, host.data()));
    EXPECT_EQ(CL_INVALID_VALUE, write(buffer.get(), wrong, packed, region, host.data()));
    EXPECT_EQ(CL_INVALID_VALUE, write(buffer.get(), packed, wrong, region, host.data()));
    EXPECT_EQ(CL_INVALID_VALUE, copy(buffer.get(), target.get(), wrong, packed, region));
    EXPECT_EQ(CL_INVALID_VALUE, copy(buffer.get(), target.get(), packed, wrong, region));
  }
  const Side outside[] = {{{0, 0, 30}, 0, 0},
                          {{~size_t{0}, 0, 0}, 0, 0},
                          {{0, 0, ~size_t{0}}, 0, 0},
                          {{0, 0, 0}, ~size_t{0} / 16, 0}};
  for (const Side& wrong : outside) {
    EXPECT_EQ(CL_INVALID_VALUE, read(buffer.get(), wrong, packed, {64, 64, 1}, host.data()));
    EXPECT_EQ(CL_INVALID_VALUE, write(buffer.get(), wrong, packed, {64, 64, 1}, host.data()));
    EXPECT_EQ(CL_INVALID_VALUE, copy(buffer.get(), target.get(), wrong, packed, {64, 64, 1}));
    EXPECT_EQ(CL_INVALID_VALUE, copy(buffer.get(), target.get(), packed, wrong, {64, 64, 1}));
  }
  for (const Triple& empty : {Triple{0, 1, 1}, Triple{1, 0, 1}, Triple{1, 1, 0}}) {
    EXPECT_EQ(CL_INVALID_VALUE, read(buffer.get(), packed, packed, empty, host.data()));
    EXPECT_EQ(CL_INVALID_VALUE, write(buffer.get(), packed, packed, empty, host.data()));
    EXPECT_EQ(CL_INVALID_VALUE, copy(buffer.get(), target.get(), packed, packed, empty));
  }
  EXPECT_EQ(CL_INVALID_VALUE, read(buffer.get(), packed, packed, region, nullptr));
  EXPECT_EQ(CL_INVALID_VALUE, write(buffer.get(), packed, packed, region, nullptr));
  const size_t* origin = packed.origin.data();
  const auto readWith = [&](const size_t* bufferOrigin, const size_t* hostOrigin,
                            const size_t* box) {
    return clEnqueueReadBufferRect(queue.get(), buffer.get(), CL_TRUE, bufferOrigin, hostOrigin,
                                   box, 0, 0, 0, 0, host.data(), 0, nullptr, nullptr);
  };
  EXPECT_EQ(CL_INVALID_VALUE, readWith(nullptr, origin, region.data()));
  EXPECT_EQ(CL_INVALID_VALUE, readWith(origin, nullptr, region.data()));
  EXPECT_EQ(CL_INVALID_VALUE, readWith(origin, origin, nullptr));
  EXPECT_EQ(CL_INVALID_CONTEXT, read(foreign.get(), packed, packed, region, host.data()));
  EXPECT_EQ(CL_INVALID_CONTEXT, copy(foreign.get(), target.get(), packed, packed, region));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            read(reinterpret_cast<cl_mem>(device), packed, packed, region, host.data()));
  EXPECT_EQ(CL_INVALID_MEM_OBJECT,
            copy(buffer.get(), reinterpret_cast<cl_mem>(device), packed, packed, region));
}

TEST_F(RectCommandTest, copiesInsideOneBufferNeedTheSamePitches) {
  const Side first = {{0, 0, 0}, 16, 16 * 8}, second = {{0, 0, 8}, 16, 16 * 10};
  EXPECT_EQ(CL_INVALID_VALUE, copy(buffer.get(), buffer.get(), first, second, region));
  const Side third = {{0, 0, 8}, 32, 0};
  EXPECT_EQ(CL_INVALID_VALUE, copy(buffer.get(), buffer.get(), first, third, region));
}

TEST_F(RectCommandTest, findsOverlapExactly) {
  // Boxes of random sizes at random places; overlap is decided by marking bytes.
  std::mt19937 random(1);
  const auto below = [&random](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  };
  int overlapping = 0;
  for (int i = 0; i < 400; ++i) {
    const Triple box = {1 + below(8), 1 + below(4), 1 + below(4)};
    const size_t row = box[0] + below(12), slice = row * (box[1] + below(3));
    const Side from = {{below(row), below(4), below(4)}, row, slice};
    const Side to = {{below(row), below(4), below(4)}, row, slice};
    std::vector<int> marks(size, 0);
    bool overlaps = false;
    for (size_t z = 0; z < box[2]; ++z)
      for (size_t y = 0; y < box[1]; ++y)
        for (size_t x = 0; x < box[0]; ++x)
          marks[addressOf(from, box, x, y, z)] = 1;
    for (size_t z = 0; z < box[2]; ++z)
      for (size_t y = 0; y < box[1]; ++y)
        for (size_t x = 0; x < box[0]; ++x)
          overlaps = overlaps || marks[addressOf(to, box, x, y, z)];
    overlapping += overlaps;
    EXPECT_EQ(overlaps ? CL_MEM_COPY_OVERLAP : CL_SUCCESS,
              copy(buffer.get(), buffer.get(), from, to, box));
  }
  EXPECT_GT(overlapping, 50);
  EXPECT_LT(overlapping, 350);
}

} // namespace
} // namespace quern::test

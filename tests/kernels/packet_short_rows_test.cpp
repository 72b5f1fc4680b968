// Work-groups of known size whose rows are shorter than a packet, so that a packet holds several,
// and those that are one packet; compared with the host.
#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

struct Size {
  size_t x, y, z;
  size_t items() const { return x * y * z; }
};

std::ostream& operator<<(std::ostream& out, const Size& size) {
  return out << size.x << " x " << size.y << " x " << size.z;
}

constexpr Size groupSizes[] = {
    {4, 4, 1},  {2, 2, 1}, {3, 3, 1}, {8, 8, 1}, {4, 9, 1}, {2, 32, 1}, {1, 16, 1}, {1, 40, 1},
    {1, 1, 24}, {1, 8, 8}, {4, 4, 4}, {2, 3, 2}, {2, 4, 8}, {5, 3, 1},  {7, 2, 1},  {6, 6, 1},
    {16, 1, 1}, {5, 1, 1}, {2, 6, 1}, {1, 5, 3}, {4, 2, 6}, {16, 4, 1}};
constexpr Size groups = {3, 2, 2}; ///< of an NDRange

/// What a work-item of the program knows of its place.
struct Place {
  size_t x, y, z;      ///< local id
  size_t group;        ///< linear
  size_t gx, gy, gz;   ///< global id
  size_t width, depth; ///< global sizes in the first two dimensions
  size_t linear(const Size& size) const { return (z * size.y + y) * size.x + x; }
  size_t global() const { return (gz * depth + gy) * width + gx; }
};

/// Calls `function` for each work-item of the NDRange.
template <typename Function> void forEachItem(const Size& size, Function&& function) {
  for (size_t gz = 0; gz < size.z * groups.z; ++gz)
    for (size_t gy = 0; gy < size.y * groups.y; ++gy)
      for (size_t gx = 0; gx < size.x * groups.x; ++gx)
        function(Place{gx % size.x, gy % size.y, gz % size.z,
                       (gz / size.z * groups.y + gy / size.y) * groups.x + gx / size.x, gx, gy, gz,
                       size.x * groups.x, size.y * groups.y});
}

constexpr const char* head = R"(
  #define GROUP __attribute__((reqd_work_group_size(X, Y, Z)))
  #define LINEAR ((get_local_id(2) * Y + get_local_id(1)) * X + get_local_id(0))
  #define GLOBAL ((get_global_id(2) * get_global_size(1) + get_global_id(1)) * \
                  get_global_size(0) + get_global_id(0))
)";

/// Runs kernel `k(in, out, n)` with groups of each of the sizes. `expected` gets the input, a
/// work-item's place and the size, and tells what it writes to out[GLOBAL].
template <typename T = cl_int, typename Function>
void expectGroups(const std::string& source, cl_int n, Function&& expected) {
  const std::vector<cl_int> numbers = noise(1 << 16, 1000);
  const std::vector<T> input(numbers.begin(), numbers.end());
  Buffer<T> in(input);
  for (const Size& size : groupSizes) {
    SCOPED_TRACE(testing::PrintToString(size));
    const size_t items = size.items() * groups.items();
    std::vector<T> wanted(items);
    forEachItem(size,
                [&](const Place& place) { wanted[place.global()] = expected(input, place, size); });
    Program program =
        build(head + source, "-DX=" + std::to_string(size.x) + " -DY=" + std::to_string(size.y) +
                                 " -DZ=" + std::to_string(size.z));
    Buffer<T> out(items, T(-1));
    run(program, "k",
        {{size.x * groups.x, size.y * groups.y, size.z * groups.z}, {size.x, size.y, size.z}}, in,
        out, n);
    EXPECT_EQ(out.read(), wanted);
  }
}

TEST(PacketShortRows, ids) {
  expectGroups(R"(GROUP kernel void k(global const int* in, global int* out, int n) {
      local int other;
      uint all = 0;
      for (int i = 0; i < n; ++i)
        all = all * 31 + in[i] + get_local_id(0) + get_local_id(1) * 5 + get_local_id(2) * 7 +
              get_global_id(0) * 11 + get_global_id(1) * 13 + get_global_id(2) * 17 +
              get_group_id(1) + get_local_size(0) + LINEAR;
      if (all == 0xffffffff) other = n;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[GLOBAL] = all;
    })",
               3, [](const auto& in, const Place& p, const Size& size) {
                 cl_uint all = 0;
                 for (int i = 0; i < 3; ++i)
                   all =
                       cl_uint(all * 31 + in[i] + p.x + p.y * 5 + p.z * 7 + p.gx * 11 + p.gy * 13 +
                               p.gz * 17 + p.group / groups.x % groups.y + size.x + p.linear(size));
                 return cl_int(all);
               });
}

// Indices of type int and uint, of which the rows of a packet have different ones.
TEST(PacketShortRows, rowsOfMatrices) {
  expectGroups(R"(GROUP kernel void k(global const int* in, global int* out, int n) {
      local int own[Z][Y][X];
      int x = get_global_id(0), y = get_global_id(1);
      uint ux = get_global_id(0), uy = get_global_id(1), un = n;
      own[get_local_id(2)][get_local_id(1)][get_local_id(0)] = in[y * n + x] + in[uy * un + ux + 1];
      barrier(CLK_LOCAL_MEM_FENCE);
      int sum = 0;
      for (int i = 0; i < 5; ++i)
        sum = sum * 3 + in[y * n + i] + in[i * n + x] - in[(y + i) * n - i + x + 9];
      out[GLOBAL] = sum + own[get_local_id(2)][get_local_id(1)][0];
    })",
               211, [](const auto& in, const Place& p, const Size& size) {
                 const size_t n = 211, x = p.gx, y = p.gy, x0 = p.gx - p.x;
                 int sum = 0;
                 for (size_t i = 0; i < 5; ++i)
                   sum = sum * 3 + in[y * n + i] + in[i * n + x] - in[(y + i) * n - i + x + 9];
                 return sum + in[y * n + x0] + in[y * n + x0 + 1];
               });
}

// Tiles in local memory, of neighbouring rows and of rows apart, whose elements come back in
// another order.
TEST(PacketShortRows, tiles) {
  expectGroups(
      R"(GROUP kernel void k(global const int* in, global int* out, int n) {
      local int close[Z][Y][X], apart[Z][Y][X + 1]; local short narrow[X * Y * Z];
      int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
      int value = in[GLOBAL];
      for (int round = 0; round < n; ++round) {
        close[z][y][x] = value;
        apart[Z - 1 - z][y][x] = value + round;
        narrow[X * Y * Z - 1 - LINEAR] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        value = close[z][Y - 1 - y][x] + 3 * apart[z][y][X - 1 - x] + 5 * close[z][y][(x + 1) % X] +
                7 * narrow[LINEAR] + close[0][y][0] + apart[z][0][x] + narrow[x];
        value &= 1023;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[GLOBAL] = value;
    })",
      3, [](const auto& in, const Place& p, const Size& size) {
        // The whole group, for each of its work-items.
        const size_t items = size.items();
        std::vector<cl_int> values(items), next(items);
        const size_t x0 = p.gx - p.x, y0 = p.gy - p.y, z0 = p.gz - p.z;
        const auto at = [&](size_t x, size_t y, size_t z) { return (z * size.y + y) * size.x + x; };
        const auto forAll = [&](auto&& function) {
          for (size_t z = 0; z < size.z; ++z)
            for (size_t y = 0; y < size.y; ++y)
              for (size_t x = 0; x < size.x; ++x)
                function(x, y, z);
        };
        forAll([&](size_t x, size_t y, size_t z) {
          values[at(x, y, z)] = in[((z0 + z) * p.depth + y0 + y) * p.width + x0 + x];
        });
        for (int round = 0; round < 3; ++round) {
          forAll([&](size_t x, size_t y, size_t z) {
            const auto apart = [&](size_t ax, size_t ay, size_t az) {
              return values[at(ax, ay, size.z - 1 - az)] + round;
            };
            const auto narrow = [&](size_t i) { return cl_int(cl_short(values[items - 1 - i])); };
            const size_t i = at(x, y, z);
            next[i] = (values[at(x, size.y - 1 - y, z)] + 3 * apart(size.x - 1 - x, y, z) +
                       5 * values[at((x + 1) % size.x, y, z)] + 7 * narrow(i) +
                       values[at(0, y, 0)] + apart(x, 0, z) + narrow(x)) &
                      1023;
          });
          values = next;
        }
        return values[p.linear(size)];
      });
}

// Work-items beyond a limit do nothing, in rows that are cut and in rows that are left out; no
// place outside may be read.
TEST(PacketShortRows, edges) {
  expectGroups(R"(GROUP kernel void k(global const int* in, global int* out, int n) {
      local int tile[Z][Y][X];
      int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
      int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
      int limit = width - n, rows = get_global_size(1) - n;
      tile[lz][ly][lx] = x < limit && y < rows ? in[x < limit ? y * width + x : -100000000] : -3;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[GLOBAL] = -1;
      if (x >= limit || y >= rows) return;
      int sum = 0;
      for (int i = 0; i < X; ++i) sum = sum * 3 + tile[lz][ly][i];
      out[GLOBAL] = sum;
    })",
               1, [](const auto& in, const Place& p, const Size& size) {
                 const size_t limit = p.width - 1, rows = p.depth - 1;
                 if (p.gx >= limit || p.gy >= rows)
                   return -1;
                 int sum = 0;
                 for (size_t i = 0; i < size.x; ++i) {
                   const size_t x = p.gx - p.x + i;
                   sum = sum * 3 + (x < limit ? in[p.gy * p.width + x] : -3);
                 }
                 return sum;
               });
}

// Barriers in a loop: what one round writes, others read in the next.
TEST(PacketShortRows, sumsOfAllBefore) {
  expectGroups(R"(GROUP kernel void k(global const int* in, global int* out, int n) {
      local int sums[2][X * Y * Z];
      uint item = LINEAR; int from = 0;
      sums[0][item] = in[GLOBAL];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint distance = 1; distance < X * Y * Z; distance *= 2) {
        int sum = sums[from][item];
        if (item >= distance) sum += sums[from][item - distance];
        from = 1 - from;
        sums[from][item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[GLOBAL] = sums[from][item] * n;
    })",
               3, [](const auto& in, const Place& p, const Size& size) {
                 int sum = 0;
                 for (size_t i = 0; i <= p.linear(size); ++i) {
                   const size_t x = p.gx - p.x + i % size.x;
                   const size_t y = p.gy - p.y + i / size.x % size.y;
                   const size_t z = p.gz - p.z + i / size.x / size.y;
                   sum += in[(z * p.depth + y) * p.width + x];
                 }
                 return sum * 3;
               });
}

// A tree of sums in one place, whose work-items drop out one half after the other, and atomics.
TEST(PacketShortRows, reductions) {
  expectGroups(R"(GROUP kernel void k(global const int* in, global int* out, int n) {
      local int sums[64]; local int highest, count;
      uint item = LINEAR;
      sums[item] = in[get_group_id(0) * n + item];
      if (item == 0) { highest = -1; count = 0; }
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_max(&highest, sums[item]);
      if (sums[item] & 1) atomic_inc(&count);
      for (uint half_ = 32; half_ > 0; half_ /= 2) {
        if (item < half_ && item + half_ < X * Y * Z) sums[item] += sums[item + half_];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[GLOBAL] = sums[0] + highest * 3 + count * 5;
    })",
               100, [](const auto& in, const Place& p, const Size& size) {
                 int sum = 0, highest = -1, count = 0;
                 for (size_t i = 0; i < size.items(); ++i) {
                   const int value = in[p.gx / size.x * 100 + i];
                   sum += value;
                   highest = std::max(highest, value);
                   count += value & 1;
                 }
                 return sum + highest * 3 + count * 5;
               });
}

// Elements of 8 and of 2 bytes, of which a packet holds other numbers.
TEST(PacketShortRows, wideElements) {
  expectGroups<cl_long>(
      R"(GROUP kernel void k(global const long* in, global long* out, int n) {
      local long tile[Z][Y][X];
      int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
      tile[z][y][x] = in[GLOBAL] << 33;
      barrier(CLK_LOCAL_MEM_FENCE);
      long sum = 0;
      for (int i = 0; i < X; ++i) sum = sum * n + tile[z][y][i] + tile[z][Y - 1 - y][x];
      out[GLOBAL] = sum;
    })",
      5, [](const auto& in, const Place& p, const Size& size) {
        const auto at = [&](size_t x, size_t y) {
          return cl_ulong(in[(p.gz * p.depth + p.gy - p.y + y) * p.width + p.gx - p.x + x]) << 33;
        };
        cl_ulong sum = 0;
        for (size_t i = 0; i < size.x; ++i)
          sum = sum * 5 + at(i, p.y) + at(p.x, size.y - 1 - p.y);
        return cl_long(sum);
      });
}

// Places that are put together from bits, which add up where rows are short enough, and a condition
// that lives across a barrier.
TEST(PacketShortRows, bits) {
  expectGroups(R"(
    #define SHIFT (X <= 1 ? 0 : X <= 2 ? 1 : X <= 4 ? 2 : X <= 8 ? 3 : 4)
    GROUP kernel void k(global const int* in, global int* out, int n) {
      local int tile[Z * Y * (1 << SHIFT)];
      int x = get_local_id(0), row = get_local_id(2) * Y + get_local_id(1);
      int value = in[GLOBAL];
      bool wanted = value % n > 2;
      if (value % 5 != 0)
        tile[row << SHIFT | x] = value;
      else
        tile[row << SHIFT | x] = -row;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (wanted)
        out[GLOBAL] = tile[row << SHIFT | X - 1 - x] + (row << 1 | x);
      else
        out[GLOBAL] = x;
    })",
               7, [](const auto& in, const Place& p, const Size& size) {
                 const int row = static_cast<int>(p.z * size.y + p.y), x = static_cast<int>(p.x);
                 if (in[p.global()] % 7 <= 2)
                   return x;
                 const int other = in[p.global() + size.x - 1 - 2 * p.x];
                 return (other % 5 != 0 ? other : -row) + (row << 1 | x);
               });
}

// Work-items that go different ways, loops that they leave at different times, private arrays, and
// a barrier in a branch that all take although the compiler cannot know.
TEST(PacketShortRows, divergence) {
  expectGroups(R"(GROUP kernel void k(global const int* in, global int* out, int n) {
      local int tile[Z][Y][X];
      int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2), held[4] = {0};
      uint value = in[GLOBAL];
      for (uint i = 0; i < (value & 7) + y; ++i) {
        held[i & 3] += i * value + x;
        if (held[i & 3] % 11 == 3) break;
      }
      tile[z][y][x] = held[0] + held[1] * 3 + held[2] * 5 + held[3] * 7;
      if (in[0] >= 0 || in[GLOBAL] < n) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (y & 1) value = tile[z][y - 1][x]; else value += tile[z][y][X - 1];
      }
      out[GLOBAL] = value;
    })",
               7, [](const auto& in, const Place& p, const Size& size) {
                 const auto tile = [&](size_t x, size_t y) {
                   const cl_uint value =
                       cl_uint(in[(p.gz * p.depth + p.gy - p.y + y) * p.width + p.gx - p.x + x]);
                   cl_int held[4] = {};
                   for (cl_uint i = 0; i < (value & 7) + y; ++i) {
                     held[i & 3] = cl_int(cl_uint(held[i & 3]) + i * value + cl_uint(x));
                     if (held[i & 3] % 11 == 3)
                       break;
                   }
                   return held[0] + held[1] * 3 + held[2] * 5 + held[3] * 7;
                 };
                 return p.y & 1 ? tile(p.x, p.y - 1) : in[p.global()] + tile(size.x - 1, p.y);
               });
}

} // namespace
} // namespace quern::tests

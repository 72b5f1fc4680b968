// Kernels whose packets run several at a time: rows and columns of a group that share what they
// load, guards, and groups that have no room for a block; compared with the host.
#include "kernels/kernel_fixture.h"

namespace quern::tests {
namespace {

using Grid = std::vector<cl_int>;

Grid noise(size_t count, cl_uint limit) {
  return tabulate<cl_int>(
      count, [&](size_t i) { return cl_int((cl_uint(i) * 2654435761u >> 9) % limit); });
}

/// Runs kernel `k(in, out, width, height)` on a grid that is larger than width x height, with
/// groups of several shapes. `expected` gets the input, a place and the grid's width; places
/// outside the grid keep -1.
template <typename Function>
void expectGrid(const std::string& source, size_t width, size_t height, Function&& expected) {
  const Grid input = noise(8192, 1000);
  Grid wanted(width * height + 64, -1);
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x)
      wanted[y * width + x] = expected(input, int(x), int(y), int(width));
  Program program = build(source, openClC3); // for groups that do not divide the items
  Buffer<cl_int> in(input);
  const size_t shapes[][2] = {{16, 16}, {64, 1}, {64, 4}, {16, 3},
                              {8, 8},   {1, 32}, {3, 7},  {133, 2}};
  for (const auto& [columns, rows] : shapes) {
    SCOPED_TRACE(std::to_string(columns) + " x " + std::to_string(rows));
    Buffer<cl_int> out(wanted.size(), -1);
    run(program, "k", {{width + 5, height + 3}, {columns, rows}}, in, out, cl_int(width),
        cl_int(height));
    EXPECT_EQ(out.read(), wanted);
  }
}

TEST(PacketTiles, rowsAndColumnsShareWhatTheyLoad) {
  expectGrid(R"(kernel void k(global const int* in, global int* out, int width, int height) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x >= width || y >= height) return;
      int sum = 0;
      for (int i = 0; i < 19; ++i) sum += in[y * 19 + i] * in[i * width + x] + in[i];
      out[y * width + x] = sum;
    })",
             149, 38, [](const Grid& in, int x, int y, int width) {
               int sum = 0;
               for (int i = 0; i < 19; ++i)
                 sum += in[y * 19 + i] * in[i * width + x] + in[i];
               return sum;
             });
}

// What is asked of a block's corners: numbers that wrap on the way, that fall, and that rise by
// more than one.
TEST(PacketTiles, guardsOnNumbersOfEveryCourse) {
  expectGrid(R"(kernel void k(global const int* in, global int* out, int width, int height) {
      uint x = get_global_id(0), y = get_global_id(1), w = width, h = height;
      if (x - 3 >= w - 3 || y - 2 >= h - 2) return; // wraps below 3 and 2
      out[y * w + x] = in[y] - in[x];
    })",
             149, 38,
             [](const Grid& in, int x, int y, int) { return x < 3 || y < 2 ? -1 : in[y] - in[x]; });
  expectGrid(R"(kernel void k(global const int* in, global int* out, int width, int height) {
      int x = get_global_id(0), y = get_global_id(1);
      int left = width - 1 - x, up = height - 1 - y;
      if (left < 0 || up < 0) return;
      out[y * width + x] = in[left] * 3 + in[up];
    })",
             149, 38, [](const Grid& in, int x, int y, int width) {
               return in[width - 1 - x] * 3 + in[37 - y];
             });
  expectGrid(R"(kernel void k(global const int* in, global int* out, int width, int height) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x >= width || y >= height || x * 2 + y * 7 > 300 || y * 9 - x < -20) return;
      out[y * width + x] = in[x * 2 + y * 7];
    })",
             149, 38, [](const Grid& in, int x, int y, int) {
               return x * 2 + y * 7 > 300 || y * 9 - x < -20 ? -1 : in[x * 2 + y * 7];
             });
}

// Within a packet the number rises by one, but not from a packet to the next.
TEST(PacketTiles, guardsOnNumbersThatJump) {
  Program program = build(R"(kernel __attribute__((reqd_work_group_size(128, 1, 1)))
    void k(global const int* in, global int* out, int limit) {
      int g = get_global_id(0), sum = 0;
      int place = g + in[get_local_id(0) / 16];
      if (place >= limit) return;
      for (int i = 0; i < 9; ++i) sum = sum * 3 + in[g + i];
      out[g] = sum + place;
    })");
  const Grid input = noise(1024, 1000);
  Buffer<cl_int> in(input);
  for (const int limit : {0, 300, 700, 1100, 2000}) {
    SCOPED_TRACE(limit);
    Buffer<cl_int> out(512, -1);
    run(program, "k", {{512}, {128}}, in, out, cl_int{limit});
    EXPECT_EQ(out.read(), tabulate<cl_int>(512, [&](size_t g) {
                const int place = int(g) + input[g % 128 / 16];
                cl_uint sum = 0;
                for (size_t i = 0; i < 9; ++i)
                  sum = sum * 3 + cl_uint(input[g + i]);
                return place >= limit ? -1 : cl_int(sum + cl_uint(place));
              }));
  }
}

// What lies outside counts as 0, in tiles that a loop walks along.
TEST(PacketTiles, tilesWithEdges) {
  for (int length : {1, 16, 40, 48}) {
    SCOPED_TRACE(length);
    expectGrid("#define LENGTH " + std::to_string(length) + R"(
      kernel void k(global const int* in, global int* out, int width, int height) {
        local int tile[272], row[133];
        uint x = get_global_id(0), y = get_global_id(1);
        uint lx = get_local_id(0), ly = get_local_id(1), columns = get_local_size(0);
        int sum = 0;
        for (uint first = 0; first < LENGTH; first += columns) {
          tile[ly * columns + lx] = y < height && first + lx < LENGTH ? in[y * LENGTH + first + lx] : 0;
          if (ly == 0)
            row[lx] = first + lx < LENGTH ? in[first + lx] + 1 : 7;
          barrier(CLK_LOCAL_MEM_FENCE);
          for (uint i = 0; i < columns; ++i)
            sum += tile[ly * columns + i] * row[i];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (x < width && y < height)
          out[y * width + x] = sum + in[x];
      })",
               149, 38, [&](const Grid& in, int x, int y, int) {
                 int sum = in[x];
                 for (int i = 0; i < length; ++i)
                   sum += in[y * length + i] * (in[i] + 1);
                 return sum;
               });
  }
}

TEST(PacketTiles, guardsOneAfterTheOther) {
  expectGrid(R"(kernel void k(global const int* in, global int* out, int width, int height) {
      size_t x = get_global_id(0), y = get_global_id(1);
      if (y >= height) return;
      if (x >= width) return;
      uint hash = in[x];
      for (uint i = 0; i < 9; ++i) hash = (hash ^ in[y + i]) * 0x01000193u + (hash >> 15);
      out[y * width + x] = hash;
    })",
             130, 19, [](const Grid& in, int x, int y, int) {
               cl_uint hash = in[x];
               for (int i = 0; i < 9; ++i)
                 hash = (hash ^ cl_uint(in[y + i])) * 0x01000193u + (hash >> 15);
               return cl_int(hash);
             });
}

// One chain for each work-item, of which many run at a time; ranges that leave some over.
TEST(PacketTiles, chainsOfOneDimension) {
  Program program = build(R"(kernel void k(global uint* out, uint rounds) {
      uint x = get_global_id(0) + 1;
      for (uint i = 0; i < rounds; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; x += i; }
      out[get_global_id(0)] = x;
    })");
  for (const size_t items : {5, 255, 256, 1000, 20000}) {
    SCOPED_TRACE(items);
    const std::vector<cl_uint> wanted = tabulate<cl_uint>(items, [](size_t item) {
      auto x = cl_uint(item + 1);
      for (cl_uint i = 0; i < 29; ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x += i;
      }
      return x;
    });
    Buffer<cl_uint> out(items, 0);
    run(program, "k", {{items}}, out, cl_uint(29));
    EXPECT_EQ(out.read(), wanted);
  }
}

// Rows that take different ways, and rows that go the same way for different times.
TEST(PacketTiles, loopsAndBranchesThatDependOnTheRow) {
  expectGrid(R"(kernel void k(global const int* in, global int* out, int width, int height) {
      int x = get_global_id(0), y = get_global_id(1), sum = 1;
      if (x < width && y < height) {
        for (int i = 0; i < y % 7; ++i) sum = sum * 3 + in[x + i];
        for (int i = 0; i < 5; ++i)
          if (y & 1) sum += in[y + i]; else sum ^= in[x * 2 + i];
        out[y * width + x] = sum;
      }
    })",
             100, 33, [](const Grid& in, int x, int y, int) {
               int sum = 1;
               for (int i = 0; i < y % 7; ++i)
                 sum = sum * 3 + in[x + i];
               for (int i = 0; i < 5; ++i)
                 if (y & 1)
                   sum += in[y + i];
                 else
                   sum ^= in[x * 2 + i];
               return sum;
             });
}

// The loop ends for each work-item at its own time.
TEST(PacketTiles, loopsThatWorkItemsLeaveAtDifferentTimes) {
  expectGrid(R"(kernel void k(global const int* in, global int* out, int width, int height) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x >= width || y >= height) return;
      int value = in[x] + y, steps = 0;
      while (value != 1 && steps < 60) {
        value = value & 1 ? value * 3 + 1 : value / 2;
        steps += 1 + in[y] / 1000;
      }
      out[y * width + x] = steps * 1000 + value;
    })",
             90, 21, [](const Grid& in, int x, int y, int) {
               int value = in[x] + y, steps = 0;
               while (value != 1 && steps < 60) {
                 value = value & 1 ? value * 3 + 1 : value / 2;
                 ++steps;
               }
               return steps * 1000 + value;
             });
}

// Leaving the loop is no guard, although nothing follows it.
TEST(PacketTiles, loopsThatEndTheKernel) {
  expectGrid(R"(kernel void k(global const int* in, global int* out, int width, int height) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x >= width) return;
      for (int row = y; row < height; row += get_global_size(1))
        out[row * width + x] = (out[row * width + x] + 3) * in[x + row];
    })",
             96, 20, [](const Grid& in, int x, int y, int) { return 2 * in[x + y]; });
}

// Every work-item writes its place twice, and its neighbour's place in another array.
TEST(PacketTiles, storesStayInOrder) {
  expectGrid(R"(kernel void k(global const int* in, global int* out, int width, int height) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x >= width || y >= height) return;
      global int* place = out + y * width + x;
      for (int i = 0; i < 6; ++i) {
        *place = in[x + i];
        *place = *place * 2 + in[y + i] + (i ? place[0] : 0);
      }
    })",
             70, 18, [](const Grid& in, int x, int y, int) {
               int place = -1;
               for (int i = 0; i < 6; ++i) {
                 place = in[x + i];
                 place = place * 2 + in[y + i] + (i ? place : 0);
               }
               return place;
             });
}

// The whole group is one tile; its size is known when the kernel is built.
TEST(PacketTiles, tilesOfKnownSize) {
  constexpr int side = 64;
  const Grid a = noise(side * side, 100), b = noise(side * side, 90);
  Grid wanted(side * side);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      for (int k = 0; k < side; ++k)
        wanted[y * side + x] += a[y * side + k] * b[k * side + x];
  Buffer<cl_int> bufferA(a), bufferB(b);
  for (size_t tile : {4, 8, 16, 32}) {
    SCOPED_TRACE(tile);
    Program program = build(R"(kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
      void k(global const int* a, global const int* b, global int* c, int n) {
        local int ta[TILE][TILE], tb[TILE][TILE];
        int x = get_global_id(0), y = get_global_id(1);
        int lx = get_local_id(0), ly = get_local_id(1), sum = 0;
        for (int tile = 0; tile < n; tile += TILE) {
          ta[ly][lx] = a[y * n + tile + lx];
          tb[ly][lx] = b[(tile + ly) * n + x];
          barrier(CLK_LOCAL_MEM_FENCE);
          for (int k = 0; k < TILE; ++k) sum += ta[ly][k] * tb[k][lx];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        c[y * n + x] = sum;
      })",
                            "-D TILE=" + std::to_string(tile));
    Buffer<cl_int> c(side * side);
    run(program, "k", {{side, side}, {tile, tile}}, bufferA, bufferB, c, cl_int{side});
    EXPECT_EQ(c.read(), wanted);
  }
}

// Parts of ids that are the same in a packet, and others in the next one.
TEST(PacketTiles, partsOfLocalIds) {
  Program program = build(R"(kernel void k(global const int* in, global int* out) {
      size_t lid = get_local_id(0); int id = get_local_id(0), sum = 0;
      for (size_t row = lid / 16; row < 16; row += 4) sum += in[row * 16 + lid % 16] * (id >> 5);
      for (int i = 0; i < 5; ++i) sum = sum * 3 + in[(id & 63) + i] + in[id / 32 + i];
      out[get_global_id(0)] = sum;
    })",
                          openClC3);
  const Grid input = noise(512, 500);
  Buffer<cl_int> in(input);
  for (size_t local : {16, 64, 100, 128}) {
    Buffer<cl_int> out(300, -1);
    run(program, "k", {{300}, {local}}, in, out);
    EXPECT_EQ(out.read(), tabulate<cl_int>(300,
                                           [&](size_t global) {
                                             const int id = int(global % local);
                                             cl_uint sum = 0;
                                             for (int row = id / 16; row < 16; row += 4)
                                               sum += input[row * 16 + id % 16] * (id >> 5);
                                             for (int i = 0; i < 5; ++i)
                                               sum = sum * 3 + input[(id & 63) + i] +
                                                     input[id / 32 + i];
                                             return cl_int(sum);
                                           }))
        << local;
  }
}

TEST(PacketTiles, planes) {
  Program program = build(R"(kernel void k(global const int* in, global int* out) {
      int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), sum = 0;
      for (int i = 0; i < 12; ++i) sum += in[x + i] * in[y * 2 + i] - in[z * 3 + i];
      out[(z * get_global_size(1) + y) * get_global_size(0) + x] = sum;
    })",
                          openClC3);
  const Grid input = noise(256, 500);
  Buffer<cl_int> in(input);
  const std::vector<size_t> size = {70, 9, 5};
  const Grid wanted = tabulate<cl_int>(size[0] * size[1] * size[2], [&](size_t place) {
    const size_t x = place % size[0], y = place / size[0] % size[1], z = place / size[0] / size[1];
    int sum = 0;
    for (size_t i = 0; i < 12; ++i)
      sum += input[x + i] * input[y * 2 + i] - input[z * 3 + i];
    return sum;
  });
  for (const std::vector<size_t>& local :
       std::vector<std::vector<size_t>>{{16, 4, 2}, {64, 9, 1}, {5, 5, 5}, {1, 1, 5}}) {
    Buffer<cl_int> out(wanted.size(), -1);
    run(program, "k", {size, local}, in, out);
    EXPECT_EQ(out.read(), wanted) << local[0] << " x " << local[1] << " x " << local[2];
  }
}

} // namespace
} // namespace quern::tests

// Private arrays of kernels that run for packets of work-items: those whose elements become values
// because the loops over them are short, and those that stay arrays.
#include <algorithm>

#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

TEST(PacketArrays, sumsOfAShortLoop) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), sum[16] = {0};
      for (int i = 0; i < n; ++i) {
        int value = in[g + i];
        for (int r = 0; r < 16; ++r) sum[r] += in[i * 16 + r] * value;
      }
      int all = 0;
      for (int r = 0; r < 16; ++r) all = all * 7 + sum[r];
      out[g] = all;
    })",
              9, [](const auto& in, int g, int n) {
                cl_uint sum[16] = {}, all = 0;
                for (int i = 0; i < n; ++i)
                  for (int r = 0; r < 16; ++r)
                    sum[r] += cl_uint(in[i * 16 + r]) * in[g + i];
                for (cl_uint part : sum)
                  all = all * 7 + part;
                return cl_int(all);
              });
}

// Nested, of two dimensions, filled and read in different orders, with another early exit.
TEST(PacketArrays, tilesOfRegisters) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); uint tile[4][8];
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x) tile[y][x] = in[g + y * 8 + x] & 255;
      for (int i = 0; i < n; ++i)
        for (int x = 0; x < 8; ++x)
          for (int y = 0; y < 4; ++y) {
            if ((tile[y][x] & 15) == 3) break;
            tile[y][x] = tile[y][x] * 5 + tile[3 - y][7 - x] + i;
          }
      uint all = 0;
      for (int x = 7; x >= 0; --x)
        for (int y = 0; y < 4; ++y) all = all * 3 + tile[y][x];
      out[g] = all;
    })",
              5, [](const auto& in, int g, int n) {
                cl_uint tile[4][8], all = 0;
                for (int y = 0; y < 4; ++y)
                  for (int x = 0; x < 8; ++x)
                    tile[y][x] = in[g + y * 8 + x] & 255;
                for (int i = 0; i < n; ++i)
                  for (int x = 0; x < 8; ++x)
                    for (int y = 0; y < 4; ++y) {
                      if ((tile[y][x] & 15) == 3)
                        break;
                      tile[y][x] = tile[y][x] * 5 + tile[3 - y][7 - x] + i;
                    }
                for (int x = 7; x >= 0; --x)
                  for (int y = 0; y < 4; ++y)
                    all = all * 3 + tile[y][x];
                return cl_int(all);
              });
}

// The array lives across the barriers of a loop, each of whose turns writes one element.
TEST(PacketArrays, acrossBarriers) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), history[4];
      for (int i = 0; i < 4; ++i) {
        history[i] = in[g + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < n; ++j) history[i] += in[j] >> j;
      }
      int all = 0;
      for (int i = 0; i < 4; ++i) all = all * 31 + history[i];
      out[g] = all;
    })",
              6, [](const auto& in, int g, int n) {
                cl_uint all = 0;
                for (int i = 0; i < 4; ++i) {
                  cl_uint value = in[g + i];
                  for (int j = 0; j < n; ++j)
                    value += in[j] >> j;
                  all = all * 31 + value;
                }
                return cl_int(all);
              });
}

// Each work-item counts at places of its own.
TEST(PacketArrays, placesOfItsOwn) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); uint count[64] = {0};
      for (int i = 0; i < n; ++i) ++count[in[g + i] & 63];
      if (g % 3)
        for (int i = 0; i < n; ++i) count[in[i] & 63] += i;
      uint all = 0;
      for (int i = 0; i < 64; ++i) all = all * 31 + count[i];
      out[g] = all;
    })",
              77, [](const auto& in, int g, int n) {
                cl_uint count[64] = {}, all = 0;
                for (int i = 0; i < n; ++i)
                  ++count[in[g + i] & 63];
                if (g % 3)
                  for (int i = 0; i < n; ++i)
                    count[in[i] & 63] += i;
                for (cl_uint each : count)
                  all = all * 31 + each;
                return cl_int(all);
              });
}

// Work-items move different numbers of elements.
TEST(PacketArrays, sortedByInsertion) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); short a[100];
      for (int i = 0; i < 100; ++i) {
        short value = (short)in[g + i];
        int j = i;
        for (; j > 0 && a[j - 1] > value; --j) a[j] = a[j - 1];
        a[j] = value;
      }
      out[g] = a[n] * 31 + a[in[g] % 100];
    })",
              70, [](const auto& in, int g, int n) {
                std::vector<cl_short> a;
                for (int i = 0; i < 100; ++i)
                  a.push_back(cl_short(in[g + i]));
                std::ranges::sort(a);
                return a[n] * 31 + a[in[g] % 100];
              });
}

// Loops that run as often as the ones around them count: a median whose window gets smaller with
// each number that is read.
TEST(PacketArrays, medianOfAShrinkingWindow) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), v[6], last = 5;
      for (int i = 0; i < 6; ++i) v[i] = in[g + i];
      for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 1 + (y == 0); ++x) {
          for (int i = 0; i <= last; ++i)
            for (int j = 0; j < last - i; ++j) {
              int low = min(v[j], v[j + 1]);
              v[j + 1] = max(v[j], v[j + 1]); v[j] = low;
            }
          v[0] = in[g + n + y * 2 + x];
          --last;
        }
      }
      uint all = v[0];
      for (int i = 1; i <= last; ++i) all = all * 5 + v[i];
      out[g] = all;
    })",
              9, [](const auto& in, int g, int n) {
                cl_int v[6];
                for (int i = 0; i < 6; ++i)
                  v[i] = in[g + i];
                int last = 5;
                for (int y = 0; y < 3; ++y)
                  for (int x = 0; x < 1 + (y == 0); ++x) {
                    std::sort(v, v + last + 1);
                    v[0] = in[g + n + y * 2 + x];
                    --last;
                  }
                cl_uint all = v[0];
                for (int i = 1; i <= last; ++i)
                  all = all * 5 + cl_uint(v[i]);
                return cl_int(all);
              });
}

// Members of several sizes keep each work-item's structures in one piece.
TEST(PacketArrays, structuresOfSeveralSizes) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0);
      struct { char kind; int value; double weight; } a[40];
      for (int i = 0; i < 40; ++i) {
        a[i].kind = in[g + i];
        a[i].value = in[i] & 1023;
        a[i].weight = i;
      }
      int sum = 0;
      for (int i = 0; i < n; ++i)
        sum += a[in[g + i] % 40].value * a[in[i] & 31].kind + (int)a[(g + i) % 40].weight;
      out[g] = sum;
    })",
              23, [](const auto& in, int g, int n) {
                cl_int sum = 0;
                for (int i = 0; i < n; ++i)
                  sum += (in[in[g + i] % 40] & 1023) * cl_char(in[g + (in[i] & 31)]) + (g + i) % 40;
                return sum;
              });
}

// Members of one size, vectors, a copy of a whole array, and a constant one.
TEST(PacketArrays, copies) {
  expectItems(R"(
    constant int table[5][8] = {{3, 1, 4, 1, 5, 9, 2, 6}, {5, 3, 5, 8, 9, 7, 9, 3},
                                {2, 3, 8, 4, 6, 2, 6, 4}, {3, 3, 8, 3, 2, 7, 9, 5}, {}};
    struct Pair { float2 low; int4 high; };
    kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), numbers[5][8];
      struct Pair a[30], b[30];
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 8; ++j) numbers[i][j] = table[i][j];
      for (int i = 0; i < 30; ++i) {
        a[i].low = (float2)(in[g + i] & 255, i);
        a[i].high = (int4)(i, in[i] & 255, 7, g);
      }
      for (int i = 0; i < 30; ++i) b[i] = a[29 - i];
      struct Pair c = b[in[g] % 30];
      numbers[in[g] % 5][in[g + 1] % 8] = n;
      out[g] = (int)c.low.x + (int)c.low.y * 3 + c.high.y * 5 + c.high.w * 7 +
               numbers[in[g + 2] % 5][in[g + 3] % 8];
    })",
              1000, [](const auto& in, int g, int n) {
                cl_int numbers[5][8] = {{3, 1, 4, 1, 5, 9, 2, 6},
                                        {5, 3, 5, 8, 9, 7, 9, 3},
                                        {2, 3, 8, 4, 6, 2, 6, 4},
                                        {3, 3, 8, 3, 2, 7, 9, 5},
                                        {}};
                numbers[in[g] % 5][in[g + 1] % 8] = n;
                const int i = 29 - in[g] % 30;
                return (in[g + i] & 255) + i * 3 + (in[i] & 255) * 5 + g * 7 +
                       numbers[in[g + 2] % 5][in[g + 3] % 8];
              });
}

// Pointers that walk and that are chosen, and a function that gets one.
TEST(PacketArrays, pointers) {
  expectItems(R"(
    __attribute__((noinline)) int lastBelow(const uchar* numbers, int limit) {
      int last = -1;
      for (int i = 0; i < 50; ++i)
        if (numbers[i] < limit) last = i;
      return last;
    }
    kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), sum = 0; uchar shared[50]; int ring[40], other[40];
      for (int i = 0; i < 50; ++i) shared[i] = in[g + i];
      for (int i = 0; i < 40; ++i) { ring[i] = in[g + 2 * i]; other[i] = in[i] - g; }
      int* place = ring + n;
      for (int i = 0; i < in[g] % 97; ++i) {
        sum = sum * 3 + (*place += i);
        if (++place == ring + 40) place = ring;
      }
      const int* chosen = g % 5 < 2 ? ring : other;
      for (int i = 0; i < n; ++i) sum += chosen[(i * g) % 40];
      out[g] = sum * 64 + lastBelow(shared, n);
    })",
              27, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                cl_int ring[40], other[40], last = -1;
                for (int i = 0; i < 40; ++i) {
                  ring[i] = in[g + 2 * i];
                  other[i] = in[i] - g;
                }
                int place = n;
                for (int i = 0; i < in[g] % 97; ++i) {
                  sum = sum * 3 + cl_uint(ring[place] += i);
                  place = (place + 1) % 40;
                }
                for (int i = 0; i < n; ++i)
                  sum += cl_uint((g % 5 < 2 ? ring : other)[(i * g) % 40]);
                for (int i = 0; i < 50; ++i)
                  if (cl_uchar(in[g + i]) < n)
                    last = i;
                return cl_int(sum * 64 + cl_uint(last));
              });
}

// Arrays that live across barriers: with an index that all work-items have in common, with one of
// their own, filled as a whole, and through a pointer that is chosen before a barrier.
TEST(PacketArrays, acrossBarriersWithIndicesInCommon) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), sum[24] = {0};
      for (int i = 0; i < n; ++i) {
        for (int r = 0; r < n * 2; ++r) sum[r] += in[i * 16 + r] * in[g + i];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      int all = 0;
      for (int r = 0; r < n * 2; ++r) all = all * 7 + sum[r];
      out[g] = all + sum[in[g] % 24] * 3;
    })",
              9, [](const auto& in, int g, int n) {
                cl_uint sum[24] = {}, all = 0;
                for (int i = 0; i < n; ++i)
                  for (int r = 0; r < n * 2; ++r)
                    sum[r] += cl_uint(in[i * 16 + r]) * in[g + i];
                for (int r = 0; r < n * 2; ++r)
                  all = all * 7 + sum[r];
                return cl_int(all + sum[in[g] % 24] * 3);
              });
}

TEST(PacketArrays, acrossBarriersWithIndicesOfTheirOwn) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); uint count[11]; ushort order[20];
      for (int r = 0; r < 11; ++r) count[r] = r;
      for (int r = 0; r < n + 10; ++r) order[r] = in[g] + r;
      for (int i = 0; i < n; ++i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        ++count[in[g + i] % 11];
        order[in[g + i] % 19] ^= in[g + i];
      }
      uint all = 0;
      for (int r = 0; r < 11; ++r) all = all * 5 + count[r];
      for (int r = n + 9; r >= 0; --r) all = all * 3 + order[r];
      out[g] = all;
    })",
              10, [](const auto& in, int g, int n) {
                cl_uint count[11], all = 0;
                cl_ushort order[20];
                for (int r = 0; r < 11; ++r)
                  count[r] = r;
                for (int r = 0; r < n + 10; ++r)
                  order[r] = cl_ushort(in[g] + r);
                for (int i = 0; i < n; ++i) {
                  ++count[in[g + i] % 11];
                  order[in[g + i] % 19] ^= cl_ushort(in[g + i]);
                }
                for (const cl_uint part : count)
                  all = all * 5 + part;
                for (int r = n + 9; r >= 0; --r)
                  all = all * 3 + order[r];
                return cl_int(all);
              });
}

TEST(PacketArrays, vectorsStructuresAndPointersAcrossBarriers) {
  expectItems(R"(typedef struct { int4 v; int2 w; int x, y; } Part;
    kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); Part parts[5]; int3 triples[4];
      for (int i = 0; i < n; ++i) {
        parts[i].v = (int4)(in[g], in[g + i], i, g); parts[i].w = in[g + i + 1];
        parts[i].x = i * g; parts[i].y = in[i];
        triples[i % 4] = (int3)(g, i, in[g + 2 * i]);
      }
      int* chosen = in[g] & 1 ? &parts[1].x : &parts[2].y;
      barrier(CLK_LOCAL_MEM_FENCE);
      *chosen += 17;
      for (int i = 0; i < n; ++i) parts[i].v += parts[n - 1 - i].v.wzyx + triples[i % 4].z;
      barrier(CLK_LOCAL_MEM_FENCE);
      uint all = chosen[0];
      for (int i = 0; i < n; ++i) {
        Part p = parts[i];
        all = all * 7 + p.v.x + p.v.y * 3 + p.v.z * 5 + p.v.w * 9 + p.w.y + p.x * 2 + p.y;
        all ^= triples[i % 4].x + triples[i % 4].y;
      }
      out[g] = all;
    })",
              5, [](const auto& in, int g, int n) {
                struct Part {
                  cl_uint v[4], w, x, y;
                } parts[5];
                cl_uint triples[4][3];
                for (int i = 0; i < n; ++i) {
                  parts[i] = {{cl_uint(in[g]), cl_uint(in[g + i]), cl_uint(i), cl_uint(g)},
                              cl_uint(in[g + i + 1]),
                              cl_uint(i * g),
                              cl_uint(in[i])};
                  triples[i % 4][0] = g;
                  triples[i % 4][1] = i;
                  triples[i % 4][2] = in[g + 2 * i];
                }
                cl_uint* chosen = in[g] & 1 ? &parts[1].x : &parts[2].y;
                *chosen += 17;
                for (int i = 0; i < n; ++i) {
                  const Part other = parts[n - 1 - i];
                  for (int j = 0; j < 4; ++j)
                    parts[i].v[j] += other.v[3 - j] + triples[i % 4][2];
                }
                cl_uint all = *chosen;
                for (int i = 0; i < n; ++i) {
                  const Part& p = parts[i];
                  all =
                      all * 7 + p.v[0] + p.v[1] * 3 + p.v[2] * 5 + p.v[3] * 9 + p.w + p.x * 2 + p.y;
                  all ^= triples[i % 4][0] + triples[i % 4][1];
                }
                return cl_int(all);
              });
}

} // namespace
} // namespace quern::tests

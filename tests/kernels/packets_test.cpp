// Kernels whose loops run for packets of work-items: accesses of every kind, masks, and values that
// leave divergent loops, compared with the host on sizes around those of packets.
#include "kernels/packet_fixture.h"

#include <algorithm>
#include <array>
#include <bit>

namespace quern::tests {
namespace {

TEST(Packets, neighboursStridesAndTables) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); uint sum = 0;
      for (int i = 0; i < n; ++i)
        sum += in[g + i] * 3u + in[g * 2 + i] + in[300 - g + i] + in[i] + in[in[g + i] & 1023];
      out[g] = sum;
    })",
              9, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < n; ++i)
                  sum += in[g + i] * 3u + in[g * 2 + i] + in[300 - g + i] + in[i] +
                         in[in[g + i] & 1023];
                return cl_int(sum);
              });
}

// LLVM gives the inner loops' sums a closed form of 33 bits, and counts the middle one in 4 bits.
TEST(Packets, integersOfOddWidths) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0);
      uint words[16] = {0}, sum = 0;
      for (int i = 0; i < n; ++i) {
        uint last = in[g + i] & 1023, series = 0;
        for (uint j = 0; j < last; ++j)
          series += j * 3;
        uint length = in[g + i] & 15;
        while (length < 15)
          words[length++] += series;
        sum = sum * 5 + series + words[in[g] & 15];
      }
      out[g] = sum;
    })",
              9, [](const auto& in, int g, int n) {
                cl_uint words[16] = {}, sum = 0;
                for (int i = 0; i < n; ++i) {
                  const cl_uint last = in[g + i] & 1023,
                                series = last == 0 ? 0 : last * (last - 1) / 2 * 3;
                  for (cl_uint length = in [g + i] & 15; length < 15; ++length)
                    words[length] += series;
                  sum = sum * 5 + series + words[in[g] & 15];
                }
                return cl_int(sum);
              });
}

// A function of thousands of instructions, which is called with a private array, as in ciphers.
TEST(Packets, largeFunctions) {
  constexpr unsigned steps = 400;
  std::string source = "uint mix(uint* x, uint s) {\n";
  for (unsigned i = 0; i < steps; ++i)
    source += "s = rotate(s + x[" + std::to_string(i % 16) + "] * 2654435761u, " +
              std::to_string(i % 31 + 1) + "u) ^ x[" + std::to_string(i * 7 % 16) + "]; x[" +
              std::to_string(i * 5 % 16) + "] += s;\n";
  source += R"(return s; }
    kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0);
      uint x[16], s = g;
      for (int i = 0; i < 16; ++i)
        x[i] = in[g + i];
      for (int i = 0; i < n; ++i) {
        s = mix(x, s);
        if (s & 1)
          s ^= mix(x, s + i);
      }
      out[g] = s + x[s & 15];
    })";
  expectItems(source, 3, [&](const auto& in, int g, int n) {
    std::array<cl_uint, 16> x;
    std::copy_n(in.begin() + g, 16, x.begin());
    const auto mix = [&](cl_uint s) {
      for (unsigned i = 0; i < steps; ++i) {
        s = std::rotl(s + x[i % 16] * 2654435761u, int(i % 31 + 1)) ^ x[i * 7 % 16];
        x[i * 5 % 16] += s;
      }
      return s;
    };
    cl_uint s = cl_uint(g);
    for (int i = 0; i < n; ++i) {
      s = mix(s);
      if (s & 1)
        s ^= mix(s + cl_uint(i));
    }
    return cl_int(s + x[s & 15]);
  });
}

// Halves round after each operation; these sums stay where a half has all integers.
TEST(Packets, halves) {
  expectItems(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0);
      half sum = 0, largest = -INFINITY;
      for (int i = 0; i < n; ++i) {
        half x = (half)(in[g + i] & 127);
        largest = max(largest, x);
        sum += x > (half)64 ? x - (half)100 : x;
      }
      out[g] = (int)sum * 1000 + (int)largest;
    })",
              13, [](const auto& in, int g, int n) {
                int sum = 0, largest = 0;
                for (int i = 0; i < n; ++i) {
                  const int x = in[g + i] & 127;
                  largest = std::max(largest, x);
                  sum += x > 64 ? x - 100 : x;
                }
                return sum * 1000 + largest;
              });
}

// `below` wraps for the first work-items of the first packet.
TEST(Packets, unsignedIndicesThatWrap) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), sum = 0;
      for (uint i = 0; i < (uint)n; ++i) {
        uint below = g - i;
        sum = sum * 5 + (below < 1000u ? in[below] : 7);
      }
      out[g] = sum;
    })",
              6, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (cl_uint i = 0; i < cl_uint(n); ++i) {
                  const cl_uint below = cl_uint(g) - i;
                  sum = sum * 5 + (below < 1000u ? in[below] : 7);
                }
                return cl_int(sum);
              });
}

TEST(Packets, loopsLeftAtDifferentTimes) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), x = in[g] & 1023, steps = 0, last = -1;
      for (int i = 0; i < 200; ++i) {
        last = i;
        if (x == 1) break;
        if (x % 3 == 0) { x = x / 3 + 1; continue; }
        for (int j = 0; j < (x & 3); ++j) {
          steps += j * n;
          if ((x + j) % 11 == 0) goto done;
        }
        x = x & 1 ? x * 3 + 1 & 4095 : x >> 1;
      }
    done:
      out[g] = x * 100003 + steps * 301 + last;
    })",
              5, [](const auto& in, int g, int n) {
                int x = in[g] & 1023, steps = 0, last = -1;
                for (int i = 0; i < 200; ++i) {
                  last = i;
                  if (x == 1)
                    break;
                  if (x % 3 == 0) {
                    x = x / 3 + 1;
                    continue;
                  }
                  for (int j = 0; j < (x & 3); ++j) {
                    steps += j * n;
                    if ((x + j) % 11 == 0)
                      goto done;
                  }
                  x = x & 1 ? (x * 3 + 1) & 4095 : x >> 1;
                }
              done:
                return x * 100003 + steps * 301 + last;
              });
}

// The branch on n is the same for all, but stands where only some work-items are.
TEST(Packets, branchesOfAllWithinBranchesOfSome) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), sum = 0;
      for (int i = 0; i < n; ++i) {
        int add;
        if (in[g + i] & 4) {
          int common = in[i];
          if (n > 3) add = common * 2; else add = common - 5;
          if (i == 2) { sum ^= 77; if (g % 5 == 1) sum += 1000; }
        } else if (g % 7 != 0) {
          add = in[i] / (g % 7);
        } else
          add = 1;
        sum = sum * 3 + add;
      }
      out[g] = sum;
    })",
              8, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < n; ++i) {
                  cl_uint add = 1;
                  if (in[g + i] & 4) {
                    add = n > 3 ? in[i] * 2 : in[i] - 5;
                    if (i == 2) {
                      sum ^= 77;
                      if (g % 5 == 1)
                        sum += 1000;
                    }
                  } else if (g % 7 != 0) {
                    add = in[i] / (g % 7);
                  }
                  sum = sum * 3 + add;
                }
                return cl_int(sum);
              });
}

// A work-item behind the guard must not write.
TEST(Packets, guards) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0);
      if (g < n) {
        int sum = 0;
        for (int i = 0; i < g; ++i) sum += in[i] ^ i;
        out[g] = sum;
      }
    })",
              150, [](const auto& in, int g, int n) {
                if (g >= n)
                  return -1;
                cl_uint sum = 0;
                for (int i = 0; i < g; ++i)
                  sum += in[i] ^ i;
                return cl_int(sum);
              });
}

/// Conversions of ids to int, and of their sums with numbers up to 2^24, are only exact below 2^31
/// - 2^24, so other code runs above. `program` has a kernel k(out, first, n) that gives the
/// work-item `first` + i the value (sum of (int)(first + i) + j for j < n) >> 3.
void checkLargeIds(const Program& program) {
  constexpr unsigned long long limit = (1ull << 31) - (1ull << 24);
  for (const cl_ulong first : {limit - 129, limit - 128, limit - 100, (1ull << 31) - 100,
                               (1ull << 31) - 64, 1ull << 31, (1ull << 32) - 50}) {
    Buffer<cl_int> out(128);
    Range range{{128}, {32}};
    range.offset = {first};
    run(program, "k", range, out, first, cl_int{10});
    EXPECT_EQ(out.read(), tabulate<cl_int>(128, [&](size_t i) {
                cl_long sum = 0;
                for (int j = 0; j < 10; ++j)
                  sum += cl_long(cl_int(first + i)) + j;
                return cl_int(sum >> 3);
              }));
  }
}

constexpr const char* sumOfIds = R"(kernel void k(global int* out, ulong first, int n) {
    int g = get_global_id(0); long sum = 0;
    for (int i = 0; i < n; ++i) sum += (long)g + i;
    out[get_global_id(0) - first] = (int)(sum >> 3);
  })";

TEST(Packets, idsAroundTwoToThe31) {
  Program program = build(sumOfIds);
  checkLargeIds(program);
  checkLargeIds(fromBinary(program.binary()));
}

// Both kinds of code change the same variable.
TEST(Packets, idsAroundTwoToThe31WithVariables) {
  Program program = build(std::string("global int launches; ") + sumOfIds + R"(
    kernel void count(global int* out, int n) {
      int g = get_global_id(0), sum = 0;
      for (int i = 0; i < n; ++i) sum += g;
      if (get_global_linear_id() == 0) { launches++; out[0] = launches; }
      if (sum == 77) out[1] = g;
    })",
                          openClC3);
  checkLargeIds(program);
  Buffer<cl_int> out(2);
  for (cl_int launch = 1; launch <= 4; ++launch) {
    Range range{{64}, {32}};
    range.offset = {launch % 2 ? 0 : 1ull << 33};
    run(program, "count", range, out, cl_int{4});
    EXPECT_EQ(out.read()[0], launch);
  }
}

// What is said of ids holds in every dimension: here of rows, which a program with variables has
// both kinds of code for.
TEST(Packets, rowsAroundTwoToThe31WithVariables) {
  Program program = build(R"(global int launches;
    kernel void count() { launches++; }
    kernel void k(global int* out, ulong first, int n) {
      int x = get_global_id(0), y = get_global_id(1); long sum = 0;
      for (int i = 0; i < n; ++i) sum += (long)(x + y) + i;
      out[(get_global_id(1) - first) * 64 + x] = (int)(sum >> 3);
    })",
                          openClC3);
  for (const cl_ulong first : {0ull, 1ull << 31, (1ull << 32) - 7}) {
    SCOPED_TRACE(first);
    Buffer<cl_int> out(64 * 3);
    Range range{{64, 3}, {32, 1}};
    range.offset = {0, first};
    run(program, "k", range, out, first, cl_int{10});
    EXPECT_EQ(out.read(), tabulate<cl_int>(64 * 3, [&](size_t i) {
                const cl_long sum = cl_long(cl_int(first + i / 64)) + cl_long(i % 64);
                return cl_int((sum * 10 + 45) >> 3);
              }));
  }
}

// A condition that only some work-items of a packet come to keeps no block from running.
TEST(Packets, guardsThatSomeComeTo) {
  Program program = build(R"(kernel void k(global uchar* out, global const uchar* in) {
      size_t i = get_global_id(0), n = get_global_size(0);
      if (i + 1 < n) {
        vstore3(vload3(i, in) ^ (uchar3)(1, 2, 3), i, out);
      } else if (i + 1 == n) {
        uchar first = 0, second = 0;
        switch (1 + (n & 1)) {
        case 2: second = in[3 * i + 1];
        case 1: first = in[3 * i]; break;
        }
        switch (1 + (n & 1)) {
        case 2: out[3 * i + 1] = second;
        case 1: out[3 * i] = first; break;
        }
      }
    })");
  for (const size_t n : {64, 77}) {
    Buffer<cl_uchar> in(tabulate<cl_uchar>(3 * n, [](size_t i) { return i * 7; }));
    Buffer<cl_uchar> out(std::vector<cl_uchar>(3 * n, 9));
    run(program, "k", {{n}}, out, in);
    EXPECT_EQ(out.read(), tabulate<cl_uchar>(3 * n, [&](size_t i) {
                const size_t place = i % 3, value = i * 7;
                if (i / 3 + 1 < n)
                  return value ^ (place + 1);
                return place < 1 + (n & 1) ? value : 9;
              }));
  }
}

TEST(Packets, tilesAndBarriers) {
  constexpr int side = 48;
  const std::vector<cl_int> a = noise(side * side, 100), b = noise(side * side, 100);
  std::vector<cl_int> wanted(side * side);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      for (int k = 0; k < side; ++k)
        wanted[y * side + x] += a[y * side + k] * b[k * side + x];
  Program program = build(R"(kernel void k(global const int* a, global const int* b, global int* c,
                                           local int* ta, local int* tb) {
      int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
      int lx = get_local_id(0), ly = get_local_id(1), t = get_local_size(0), sum = 0;
      for (int tile = 0; tile < n; tile += t) {
        ta[ly * t + lx] = a[y * n + tile + lx];
        tb[ly * t + lx] = b[(tile + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < t; ++k) sum += ta[ly * t + k] * tb[k * t + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      c[y * n + x] = sum;
    })");
  Buffer<cl_int> bufferA(a), bufferB(b);
  for (size_t tile : {1, 2, 4, 8, 16, 24}) {
    SCOPED_TRACE(tile);
    Buffer<cl_int> c(side * side);
    run(program, "k", {{side, side}, {tile, tile}}, bufferA, bufferB, c,
        LocalBytes{tile * tile * 4}, LocalBytes{tile * tile * 4});
    EXPECT_EQ(c.read(), wanted);
  }
}

// So much code is compiled once, for whole packets and the last one of a row alike.
TEST(Packets, longKernelsHaveOneForm) {
  constexpr int steps = 300;
  std::string source = "kernel void k(global const int* in, global int* out, int n) {\n"
                       "  int i = get_global_id(0); uint x = in[i], y = 1;\n"
                       "  for (int round = 0; round < 2; ++round) {\n";
  for (int k = 0; k < steps; ++k) {
    const std::string number = std::to_string(k);
    source += "    x = x * 3 + in[i + " + number + "]; y ^= x >> " + std::to_string(k % 7) +
              "; if (y & 1) y += " + number + ";\n";
  }
  source += "  }\n  if (i < n) out[i] = x + y;\n}\n";
  expectItems(source, 150, [](const std::vector<cl_int>& in, int item, int n) {
    cl_uint x = cl_uint(in[size_t(item)]), y = 1;
    for (int round = 0; round < 2; ++round)
      for (int k = 0; k < steps; ++k) {
        x = x * 3 + cl_uint(in[size_t(item + k)]);
        y ^= x >> (k % 7);
        if (y & 1)
          y += cl_uint(k);
      }
    return item < n ? cl_int(x + y) : -1;
  });
}

TEST(Packets, callWhatIsNotInlinedWithVectors) {
  expectItems(R"(
    __attribute__((noinline)) int4 mixed(int4 v, int2 w) {
      for (int i = 0; i < w.x; ++i)
        v = v.yzwx * 3 + w.y;
      return v;
    }
    kernel void k(global const int* in, global int* out, int n) {
      int i = get_global_id(0), x = in[i];
      if (x % 3 == 1)
        x += mixed((int4)(x, i, n, 1), (int2)(x % 5, i)).z;
      out[i] = x;
    })",
              7, [](const std::vector<cl_int>& in, int item, int n) {
                const cl_uint x = cl_uint(in[size_t(item)]);
                if (x % 3 != 1)
                  return cl_int(x);
                std::array<cl_uint, 4> v = {x, cl_uint(item), cl_uint(n), 1};
                for (cl_uint i = 0; i < x % 5; ++i)
                  v = {v[1] * 3 + cl_uint(item), v[2] * 3 + cl_uint(item), v[3] * 3 + cl_uint(item),
                       v[0] * 3 + cl_uint(item)};
                return cl_int(x + v[2]);
              });
}

// What the comparison of a guard compares may come from a block before that of the guard.
TEST(Packets, guardsWithComparisonsOfEarlierBlocks) {
  for (int n : {0, 1, 9, 150, 203})
    expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int own = in[get_global_id(0) < n ? get_global_id(0) : 0], rank = 0;
      for (int i = 0; i < n; ++i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        rank += in[i] < own;
      }
      if (get_global_id(0) < n) out[rank] = own;
    })",
                n, [](const auto& in, int item, int n) {
                  std::vector<cl_int> sorted(in.begin(), in.begin() + n);
                  std::ranges::sort(sorted);
                  return item < n ? sorted[size_t(item)] : -1;
                });
}

// The loop's second exit turns out to be none, which leaves one way to what uses its values.
TEST(Packets, valuesOfLoopsThatLoseAnExit) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint rounds = 0;
      int x = in[get_global_id(0)];
      while (rounds < (uint)in[x & 63] % 4) {
        ++rounds;
        x = x * 3 + 5;
        if (rounds > 7) break;
      }
      out[get_global_id(0)] = x;
    })",
              5, [](const auto& in, int item, int) {
                cl_uint x = cl_uint(in[size_t(item)]);
                for (cl_uint rounds = 0; rounds < cl_uint(in[x & 63]) % 4; ++rounds)
                  x = x * 3 + 5;
                return cl_int(x);
              });
}

} // namespace
} // namespace quern::tests

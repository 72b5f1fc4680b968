// Private arrays of kernels that run for packets of work-items: those whose elements become values
// because the loops over them are short, and those that stay arrays.
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

} // namespace
} // namespace quern::tests

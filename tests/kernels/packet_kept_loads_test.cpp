// Inner loops that read the same elements in each round of the loop around them.
#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

cl_int squared(cl_int a) {
  return a * a;
}

// The nearest of n rows to one of the work-item's own.
TEST(PacketKeptLoads, rowComparedWithMany) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), nearest = -1, least = INT_MAX;
      for (int c = 0; c < n; ++c) {
        int distance = 0;
        for (int i = 0; i < 16; ++i) {
          int difference = (in[g * 16 + i] & 255) - (in[c * 16 + i] & 127);
          distance += difference * difference;
        }
        if (distance < least) { least = distance; nearest = c; }
      }
      out[g] = nearest;
    })",
              19, [](const auto& in, int g, int n) {
                cl_int nearest = -1, least = INT_MAX;
                for (int c = 0; c < n; ++c) {
                  cl_int distance = 0;
                  for (int i = 0; i < 16; ++i)
                    distance += squared((in[g * 16 + i] & 255) - (in[c * 16 + i] & 127));
                  if (distance < least) {
                    least = distance;
                    nearest = c;
                  }
                }
                return nearest;
              });
}

// Two arrays, one of them of bytes, from columns that lie far apart; indices that wrap.
TEST(PacketKeptLoads, columns) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), width = n;
      global const uchar* bytes = (global const uchar*)in;
      uint sum = 0;
      for (uint c = 0; c < 7; ++c)
        for (uint i = 3; i < 9; ++i)
          sum = sum * 5 + (in[i * width + g - 3u * width] ^ c) * bytes[i * 1024 + (g ^ i)];
      out[g] = sum;
    })",
              300, [](const auto& in, int g, int n) {
                const auto* bytes = reinterpret_cast<const cl_uchar*>(in.data());
                cl_uint sum = 0;
                for (int c = 0; c < 7; ++c)
                  for (int i = 3; i < 9; ++i)
                    sum = sum * 5 + cl_uint(in[(i - 3) * n + g] ^ c) * bytes[i * 1024 + (g ^ i)];
                return cl_int(sum);
              });
}

// Nothing may be read before it is known that the outer loop has a round.
TEST(PacketKeptLoads, noRounds) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), sum = 0;
      for (int c = 1; c < n; ++c)
        for (int i = 0; i < 16; ++i)
          sum += in[(1L << 40) + g * 32 + i] * c;
      if (g % 3 == 5)
        for (int c = 0; c < n + 7; ++c)
          for (int i = 0; i < 16; ++i)
            sum += in[(1L << 41) + g * 32 + i] * c;
      out[g] = sum;
    })",
              1, [](const auto&, int, int) { return 0; });
}

// Each work-item makes a number of rounds of its own.
TEST(PacketKeptLoads, divergentRounds) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), sum = 0;
      for (int c = 0; c < in[g] % n; ++c)
        for (int i = 0; i < 12; ++i)
          sum = sum * 3 + (in[g * 12 + i] >> c);
      out[g] = sum;
    })",
              9, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int c = 0; c < in[g] % n; ++c)
                  for (int i = 0; i < 12; ++i)
                    sum = sum * 3 + cl_uint(in[g * 12 + i] >> c);
                return cl_int(sum);
              });
}

// What the loop writes, it reads again.
TEST(PacketKeptLoads, writtenInTheLoop) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      local int rows[203 * 8];
      int g = get_global_id(0), l = get_local_id(0);
      for (int i = 0; i < 8; ++i) rows[l * 8 + i] = in[g + i];
      uint sum = 0;
      for (int c = 0; c < n; ++c) {
        for (int i = 0; i < 8; ++i) sum = sum * 7 + rows[l * 8 + i];
        rows[l * 8 + c % 8] = sum;
      }
      out[g] = sum;
    })",
              11, [](const auto& in, int g, int n) {
                cl_uint row[8], sum = 0;
                for (int i = 0; i < 8; ++i)
                  row[i] = cl_uint(in[g + i]);
                for (int c = 0; c < n; ++c) {
                  for (cl_uint element : row)
                    sum = sum * 7 + element;
                  row[c % 8] = sum;
                }
                return cl_int(sum);
              });
}

} // namespace
} // namespace quern::tests

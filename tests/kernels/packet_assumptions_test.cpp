// Conditions in short loops that hold for all work-items but those at the edges of the data.
#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

// Reads towards the beginning, which some work-items are too near to.
TEST(PacketAssumptions, filterBackwards) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), sum = 0;
      if (g >= n) { out[g] = -7; return; }
      for (int i = 0; i < 9; ++i)
        if (g - i >= 0) sum += in[i] * in[g - i];
      for (int j = 0; j < 7; ++j)
        if (g - j - 1 >= 0) sum -= in[j + 20] * in[g - j - 1];
      out[g] = sum;
    })",
              {0, 1, 20, 203}, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < 9; ++i)
                  if (g - i >= 0)
                    sum += cl_uint(in[i]) * in[g - i];
                for (int j = 0; j < 7; ++j)
                  if (g - j - 1 >= 0)
                    sum -= cl_uint(in[j + 20]) * in[g - j - 1];
                return g >= n ? -7 : cl_int(sum);
              });
}

// Both edges, with the numbers of several types, and a step other than 1.
TEST(PacketAssumptions, stencils) {
  const std::initializer_list<cl_int> numbers = {1, 2, 50, 203};
  const auto expected = [](const auto& in, int g, int n) {
    cl_uint sum = 0;
    for (int d = -4; d <= 4; d += 2)
      if (g + d >= 0 && g + d < n)
        sum = sum * 3 + in[g + d];
    return cl_int(sum);
  };
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); uint sum = 0;
      for (int d = -4; d <= 4; d += 2) {
        int x = g + d;
        if (x >= 0 && x < n) sum = sum * 3 + in[x];
      }
      out[g] = sum;
    })",
              numbers, expected);
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint g = get_global_id(0), sum = 0;
      for (uint d = 0; d <= 8; d += 2)
        if (g + d >= 4 && g + d - 4 < (uint)n) sum = sum * 3 + in[g + d - 4];
      out[g] = sum;
    })",
              numbers, expected);
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      uint sum = 0;
      for (uint d = 0; d <= 8; d += 2) {
        uint x = get_global_id(0) + d - 4; // wraps below 0
        if (x < (uint)n) sum = sum * 3 + in[x];
      }
      out[get_global_id(0)] = sum;
    })",
              numbers, expected);
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      long g = get_global_id(0); uint sum = 0;
      for (long d = 4; d >= -4; d -= 2)
        if (!(g - d < 0 || g - d >= n)) sum = sum * 3 + in[g - d];
      out[g] = sum;
    })",
              numbers, expected);
}

// Loops that begin later or end sooner where there is no more data, by the number of work-items.
TEST(PacketAssumptions, boundsOfLoops) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), size = get_global_size(0), half_ = n / 2; uint sum = 0;
      const int first = g + half_ >= size ? g + half_ + 1 - size : 0;
      const int end = g - half_ < 0 ? g + half_ + 1 : n;
      for (int i = first; i < end; ++i) sum = sum * 3 + in[i] * in[g + half_ - i];
      out[g] = sum;
    })",
              {1, 3, 9, 203, 501}, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                const int size = packetItems, half = n / 2;
                const int first = g + half >= size ? g + half + 1 - size : 0;
                const int end = g - half < 0 ? g + half + 1 : n;
                for (int i = first; i < end; ++i)
                  sum = sum * 3 + cl_uint(in[i]) * in[g + half - i];
                return cl_int(sum);
              });
  // From a bound down, with a step, where few work-items have the usual one, and with another loop
  // within that has bounds by the counter.
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); uint sum = 0;
      for (int i = g > n ? n * 2 : g + 3; i > (g < 20 ? 1 : -g); i -= 2)
        for (int j = i; j < (g >= 100 ? i + 3 : i + g % 5); ++j) sum = sum * 5 + in[j + 203] + g;
      out[g] = sum;
    })",
              {5, 60, 199}, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = g > n ? n * 2 : g + 3; i > (g < 20 ? 1 : -g); i -= 2)
                  for (int j = i; j < (g >= 100 ? i + 3 : i + g % 5); ++j)
                    sum = sum * 5 + cl_uint(in[j + 203]) + cl_uint(g);
                return cl_int(sum);
              });
}

// One place among the work-items has another bound than the rest.
TEST(PacketAssumptions, boundsExceptAtOnePlace) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0); uint sum = 0;
      const int end = g == n ? 3 : 11;
      for (int i = 0; i < end; ++i) sum = sum * 3 + in[i] * (g + i);
      for (int i = g != 64 ? 2 : 0; i < end; ++i) sum = sum * 5 + in[i];
      out[g] = sum;
    })",
              {0, 17, 100, 202, 300}, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                const int end = g == n ? 3 : 11;
                for (int i = 0; i < end; ++i)
                  sum = sum * 3 + cl_uint(in[i]) * cl_uint(g + i);
                for (int i = g != 64 ? 2 : 0; i < end; ++i)
                  sum = sum * 5 + cl_uint(in[i]);
                return cl_int(sum);
              });
}

// Without a loop, nested, and with something done before.
TEST(PacketAssumptions, straight) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), sum = 0;
      for (int i = 0; i < n; ++i) sum += in[i] ^ g;
      if (g > 2) {
        sum += in[g - 3];
        if (g < n - 2) sum *= in[g + 2];
      }
      out[g] = sum;
    })",
              {0, 3, 100, 203}, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < n; ++i)
                  sum += cl_uint(in[i] ^ g);
                if (g > 2) {
                  sum += cl_uint(in[g - 3]);
                  if (g < n - 2)
                    sum *= cl_uint(in[g + 2]);
                }
                return cl_int(sum);
              });
}

// The condition only looks like one: it fails in the middle, or its counter goes on.
TEST(PacketAssumptions, others) {
  expectItems(R"(kernel void k(global const int* in, global int* out, int n) {
      int g = get_global_id(0), sum = 0;
      for (int i = 0; i < 8; ++i)
        if (((g + i) & 31) < n) sum += in[g + i];
      int last = 5;
      for (int i = 0; i < 10; ++i) {
        if (last < g) sum += in[last];
        last = (last * 7 + 3) % 50;
      }
      for (int i = 0; i < g % 13; ++i)
        if (g - i * 20 >= 0) sum ^= in[g - i * 20];
      out[g] = sum;
    })",
              20, [](const auto& in, int g, int n) {
                cl_uint sum = 0;
                for (int i = 0; i < 8; ++i)
                  if (((g + i) & 31) < n)
                    sum += cl_uint(in[g + i]);
                int last = 5;
                for (int i = 0; i < 10; ++i) {
                  if (last < g)
                    sum += cl_uint(in[last]);
                  last = (last * 7 + 3) % 50;
                }
                for (int i = 0; i < g % 13; ++i)
                  if (g - i * 20 >= 0)
                    sum ^= cl_uint(in[g - i * 20]);
                return cl_int(sum);
              });
}

} // namespace
} // namespace quern::tests

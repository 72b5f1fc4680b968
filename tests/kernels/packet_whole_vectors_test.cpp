// Vectors of the program that packets have whole, as they lie in memory: what is computed, chosen,
// shuffled and moved element by element, compared with the host.
#include <functional>

#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

/// What a work-item makes of its vectors, element by element. `at` reads an element of the input.
template <typename E> struct Item {
  int id;
  int elements;
  std::function<E(int vector, int element)> at;
  std::function<E(int place)> number;
};

template <typename E> using Expected = std::function<E(const Item<E>& item, int element)>;

template <typename E> E wrapped(double value) {
  return std::is_floating_point_v<E> ? E(value) : E(cl_long(value));
}

/// Runs `body`, which makes `V r` of `in`, `numbers`, its id `g` and `n`, which is 3, in groups of
/// several sizes.
template <typename E>
void expectVectors(const std::string& type, const std::string& body, const Expected<E>& expected) {
  constexpr int vectors = 1024, n = 3, unwritten = 77;
  for (const int elements : {2, 4, 8, 16}) {
    SCOPED_TRACE(type + std::to_string(elements));
    const std::vector<cl_int> values = noise(size_t(vectors) * elements, 11);
    const std::vector<E> in(values.begin(), values.end());
    const std::vector<cl_int> others = noise(512, 7);
    const std::vector<E> numbers(others.begin(), others.end());
    std::vector<E> wanted;
    for (int g = 0; g < int(packetItems); ++g) {
      const Item<E> item{g, elements,
                         [&](int vector, int element) { return in[vector * elements + element]; },
                         [&](int place) { return numbers[place]; }};
      for (int element = 0; element < elements; ++element)
        wanted.push_back(expected(item, element));
    }
    const std::string name = type + std::to_string(elements);
    std::string source = "typedef " + type + " E; typedef ";
    source += name + " V;\n";
    source += R"(kernel void k(global const V* in, global const E* numbers, global V* out, int n) {
      local V shared[256]; int l = get_local_id(0), g = get_global_id(0); V x = in[g], r = x;
      )";
    source += body;
    source += R"(
      if (l < 0) shared[0] = r;
      out[g] = r;
    })";
    Program program = build(source, openClC3);
    Buffer<E> inBuffer(in), numberBuffer(numbers);
    for (size_t local : {1, 7, 16, 64, 203}) {
      SCOPED_TRACE(local);
      Buffer<E> out(wanted.size(), E(unwritten));
      run(program, "k", {{packetItems}, {local}}, inBuffer, numberBuffer, out, cl_int(n));
      EXPECT_EQ(out.read(), wanted);
    }
  }
}

/// For elements of every size.
void expectAll(const std::string& body, const std::function<double(const Item<double>&, int)>& f) {
  const auto run = [&]<typename E>(const std::string& type, E) {
    expectVectors<E>(type, body, [&](const Item<E>& item, int element) {
      return wrapped<E>(f({item.id, item.elements, item.at, item.number}, element));
    });
  };
  run("char", cl_char());
  run("ushort", cl_ushort());
  run("int", cl_int());
  run("float", cl_float());
  run("long", cl_long());
}

TEST(PacketWholeVectors, computeElementByElement) {
  expectAll("r = x * in[n + g] + in[5] - (V)(numbers[g]) * (V)((E)n);", [](const Item<double>& item,
                                                                           int e) {
    return item.at(item.id, e) * item.at(3 + item.id, e) + item.at(5, e) - item.number(item.id) * 3;
  });
}

TEST(PacketWholeVectors, addUpInLoops) {
  expectAll("for (int i = 0; i < 9; ++i) r += in[i * n + g] + in[i];",
            [](const Item<double>& item, int e) {
              double sum = item.at(item.id, e);
              for (int i = 0; i < 9; ++i)
                sum += item.at(i * 3 + item.id, e) + item.at(i, e);
              return sum;
            });
}

TEST(PacketWholeVectors, divergeWithTheirItems) {
  expectAll("for (int i = 0; i < g % 5; ++i) { r += in[g + i]; if (i == 2) r += in[7]; }\n"
            "if (numbers[g] > (E)3) r -= in[2 * g];",
            [](const Item<double>& item, int e) {
              double sum = item.at(item.id, e);
              for (int i = 0; i < item.id % 5; ++i)
                sum += item.at(item.id + i, e) + (i == 2 ? item.at(7, e) : 0);
              return item.number(item.id) > 3 ? sum - item.at(2 * item.id, e) : sum;
            });
}

TEST(PacketWholeVectors, lieAnywhere) {
  expectAll("r = in[g * 4] + in[300 - g] + in[(int)numbers[g] * 5] + in[g / 3];",
            [](const Item<double>& item, int e) {
              return item.at(item.id * 4, e) + item.at(300 - item.id, e) +
                     item.at(int(item.number(item.id)) * 5, e) + item.at(item.id / 3, e);
            });
}

TEST(PacketWholeVectors, areShuffled) {
  expectAll("r.even = x.odd + in[g + 1].even; r.odd = x.even;", [](const Item<double>& item,
                                                                   int e) {
    return e % 2 == 0 ? item.at(item.id, e + 1) + item.at(item.id + 1, e) : item.at(item.id, e - 1);
  });
}

TEST(PacketWholeVectors, giveAndTakeElements) {
  expectAll("r = x * in[n + g] + x; E one = r.s1; r += in[g + 1]; r.s0 = one + numbers[g];",
            [](const Item<double>& item, int e) {
              const auto product = [&](int of) {
                return item.at(item.id, of) * item.at(3 + item.id, of) + item.at(item.id, of);
              };
              return e == 0 ? product(1) + item.number(item.id)
                            : product(e) + item.at(item.id + 1, e);
            });
}

TEST(PacketWholeVectors, areChosen) {
  expectAll("V y = in[g + 1]; r = numbers[g] > (E)2 ? max(x, y) : x + y; r = n > 2 ? r + x : y;",
            [](const Item<double>& item, int e) {
              const double x = item.at(item.id, e), y = item.at(item.id + 1, e);
              return (item.number(item.id) > 2 ? std::max(x, y) : x + y) + x;
            });
}

TEST(PacketWholeVectors, crossBarriers) {
  expectAll("V sum = x + in[g + 1]; shared[l] = sum; barrier(CLK_LOCAL_MEM_FENCE);\n"
            "int first = g - l, size = get_local_size(0); r = shared[size - 1 - l] + sum;\n"
            "r -= in[first + size - 1 - l] + in[first + size - l];",
            [](const Item<double>& item, int e) {
              return item.at(item.id, e) + item.at(item.id + 1, e);
            });
}

TEST(PacketWholeVectors, areWrittenAnywhere) {
  const std::vector<cl_int> values = noise(4096, 1 << 20);
  for (const int elements : {2, 4, 8, 16}) {
    SCOPED_TRACE(elements);
    std::vector<cl_int> spread(packetItems * 2 * size_t(elements), -1);
    for (int g = 0; g < int(packetItems); ++g)
      for (int e = 0; g % 3 != 1 && e < elements; ++e)
        spread[size_t(g * 5 % int(packetItems) * 2) * elements + e] =
            values[g * elements + e] * 3 + values[elements + g * elements + e];
    std::string source = "typedef int" + std::to_string(elements);
    source += " V;\n";
    source += R"(kernel void k(global const V* in, global V* out, int n) {
      int g = get_global_id(0);
      if (g % 3 != 1) out[g * 5 % n * 2] = in[g] * 3 + in[g + 1];
    })";
    Program program = build(source, openClC3);
    Buffer<cl_int> in(values);
    for (size_t local : {1, 7, 16, 64, 203}) {
      SCOPED_TRACE(local);
      Buffer<cl_int> out(spread.size(), -1);
      run(program, "k", {{packetItems}, {local}}, in, out, cl_int(packetItems));
      EXPECT_EQ(out.read(), spread);
    }
  }
}

TEST(PacketWholeVectors, convertBetweenSizes) {
  const std::vector<cl_int> input = noise(4096, 1 << 20);
  for (const int elements : {2, 4, 8, 16}) {
    SCOPED_TRACE(elements);
    std::vector<cl_float> wanted;
    const auto* bytes = reinterpret_cast<const unsigned char*>(input.data());
    for (size_t i = 0; i < packetItems * elements; ++i)
      wanted.push_back(cl_float((bytes[i] * 77 >> 2) + signed(cl_char(bytes[i]))));
    Program program = build(R"(
      #define JOINED(a, b) a##b
      #define OF(type, count) JOINED(type, count)
      kernel void k(global const OF(uchar, W)* in, global OF(float, W)* out) {
        int g = get_global_id(0);
        OF(ushort, W) products = OF(convert_ushort, W)(in[g]) * (ushort)77;
        out[g] = OF(convert_float, W)(products >> (ushort)2) +
                 OF(convert_float, W)(OF(as_char, W)(in[g]));
      })",
                            "-cl-std=CL3.0 -DW=" + std::to_string(elements));
    Buffer<cl_int> in(input);
    for (size_t local : {1, 7, 16, 64, 203}) {
      SCOPED_TRACE(local);
      Buffer<cl_float> out(wanted.size(), -1);
      run(program, "k", {{packetItems}, {local}}, in, out);
      EXPECT_EQ(out.read(), wanted);
    }
  }
}

} // namespace
} // namespace quern::tests

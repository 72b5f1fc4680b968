// The table of all measured families: names, sizes, and how a problem is made from a size.
#include "cases/cases.h"

namespace quern::bench {
namespace {

std::vector<Size> everyPair(const std::vector<size_t>& first, const std::vector<size_t>& second) {
  std::vector<Size> pairs;
  for (const size_t a : first)
    for (const size_t b : second)
      pairs.push_back({a, b});
  return pairs;
}

Family vectorFamily(const char* name, VectorOperation operation) {
  return {name,
          {{1024}, {100000}, {16 << 20}},
          {{1024}, {100000}, {4 << 20}},
          [operation](const Size& size) { return makeVector(operation, size[0]); }};
}

Family imageFamily(const SamplerMode& mode) {
  return {"image_filter", {{4096}}, {{512}}, [mode](const Size& size) {
            return makeImageFilter(mode, size[0]);
          }};
}

Family functionFamily(const MathFunction& function) {
  return {function.isDouble ? "double" : "float",
          {{4 << 20}},
          {{1 << 20}},
          [function](const Size& size) { return makeFunction(function, size[0]); }};
}

Family collectiveFamily(host::Collective collective) {
  return {"collectives", everyPair({4 << 20}, {16, 256}), everyPair({1 << 20}, {16, 256}),
          [collective](const Size& size) { return makeCollective(collective, size[0], size[1]); }};
}

Family builtInFamily(const char* name, BuiltIn kernel, size_t size, size_t quickSize) {
  return {name,
          {{size}},
          {{quickSize}},
          [kernel](const Size& edgeOrCount) { return makeBuiltIn(kernel, edgeOrCount[0]); },
          false};
}

} // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> table = {
      {"launch",
       {{1}, {2000}},
       {{1}, {2000}},
       [](const Size& size) { return makeLaunch(size[0]); },
       false},
      {"recorded",
       {{1000}},
       {{1000}},
       [](const Size& size) { return makeRecorded(size[0]); },
       false},
      {"children",
       {{1000}},
       {{1000}},
       [](const Size& size) { return makeChildren(size[0]); },
       false},
      {"pipe", {{1 << 20}}, {{1 << 20}}, [](const Size& size) { return makePipe(size[0]); }, false},
      {"build",
       {{20}, {500}, {5000}},
       {{20}},
       [](const Size& size) { return makeBuild(size[0]); },
       false},
      vectorFamily("vector add_float", VectorOperation::AddFloat),
      vectorFamily("vector multiply_float", VectorOperation::MultiplyFloat),
      vectorFamily("vector add_int", VectorOperation::AddInt),
      vectorFamily("vector multiply_int", VectorOperation::MultiplyInt),
      {"matmul",
       {{200, 400, 300}, {256}, {512}, {768}, {1024}, {1536}, {2048}, {3200}},
       {{200, 400, 300}, {128}, {256}, {384}, {512}},
       [](const Size& size) {
         return size.size() == 3 ? makeMatmul(size[0], size[1], size[2])
                                 : makeMatmul(size[0], size[0], size[0]);
       }},
      {"group_size", everyPair({300, 1200}, {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 25, 30, 32}),
       everyPair({300}, {1, 4, 8, 16, 32}),
       [](const Size& size) { return makeGroupSize(size[0], size[1]); }, false},
      {"iir",
       {{32 << 10}, {48 << 10}, {64 << 10}},
       {{32 << 10}, {48 << 10}, {64 << 10}},
       [](const Size& size) { return makeIir(size[0]); }},
      {"mdh",
       {{64 << 10, 1000}},
       {{8 << 10, 500}},
       [](const Size& size) { return makeMdh(size[0], size[1]); }},
      {"transpose",
       {{4096}, {16384}, {65536}},
       {{16384}},
       [](const Size& size) { return makeTranspose(size[0]); }},
      {"nearest_centroids", everyPair({4096, 16384, 65536}, {8, 16, 64, 128, 256}),
       everyPair({4096, 16384}, {8, 64}),
       [](const Size& size) { return makeCentroids(size[0], size[1]); }},
      {"find_minimum",
       {{1000}, {1000003}, {16 << 20}},
       {{1000}, {1000003}},
       [](const Size& size) { return makeMinimum(size[0]); }},
      {"histogram",
       {{16 << 20, 32}, {16 << 20, 1024}},
       {{1 << 20, 32}, {1 << 20, 1024}},
       [](const Size& size) { return makeHistogram(size[0], size[1]); }},
      {"zoom", {{64}, {1024}}, {{64}, {256}}, [](const Size& size) { return makeZoom(size[0]); }},
      {"ripple",
       {{64}, {512}},
       {{64}, {256}},
       [](const Size& size) { return makeRipple(size[0]); }},
      imageFamily({"edge, nearest", host::Addressing::Edge, false}),
      imageFamily({"border, nearest", host::Addressing::Border, false}),
      imageFamily({"repeat, nearest", host::Addressing::Repeat, false}),
      imageFamily({"mirror, nearest", host::Addressing::Mirror, false}),
      imageFamily({"edge, linear", host::Addressing::Edge, true}),
      imageFamily({"border, linear", host::Addressing::Border, true}),
      imageFamily({"repeat, linear", host::Addressing::Repeat, true}),
      imageFamily({"mirror, linear", host::Addressing::Mirror, true}),
      {"nbody", {{8192}}, {{2048}}, [](const Size& size) { return makeBodies(size[0]); }},
      {"mandelbrot",
       {{1024, 768, 256}},
       {{512, 384, 256}},
       [](const Size& size) { return makeMandelbrot(size[0], size[1], size[2]); }},
      {"black_scholes",
       {{1 << 20}},
       {{1 << 18}},
       [](const Size& size) { return makeOptions(size[0]); }},
      functionFamily({"sin", true, false, -100, 100}),
      functionFamily({"exp", true, false, -20, 20}),
      functionFamily({"log", true, false, 0.001f, 1000}),
      functionFamily({"pow", false, true, 0.1f, 10}),
      functionFamily({"tan", false, false, -1.5f, 1.5f}),
      functionFamily({"atan2", false, true, -10, 10}),
      functionFamily({"tanh", false, false, -5, 5}),
      {"stencil",
       {{4096}},
       {{2048}},
       [](const Size& size) { return makeGrid(GridOperation::Stencil, size[0]); }},
      {"transpose square",
       {{4096}},
       {{2048}},
       [](const Size& size) { return makeGrid(GridOperation::Transpose, size[0]); }},
      {"sparse",
       {{1 << 18, 32}},
       {{1 << 16, 32}},
       [](const Size& size) { return makeSparse(size[0], size[1]); }},
      {"mix_bits", {{1 << 20}}, {{1 << 18}}, [](const Size& size) { return makeBits(size[0]); }},
      collectiveFamily(host::Collective::Reduce),
      collectiveFamily(host::Collective::Scan),
      collectiveFamily(host::Collective::Broadcast),
      collectiveFamily(host::Collective::Any),
      builtInFamily("built_in product", BuiltIn::Product, 2048, 512),
      builtInFamily("built_in transpose", BuiltIn::Transposition, 4096, 2048),
      builtInFamily("built_in minimum", BuiltIn::Reduction, 16 << 20, 1 << 20),
      builtInFamily("built_in scan", BuiltIn::Scan, 16 << 20, 1 << 20),
      builtInFamily("built_in sort", BuiltIn::Sort, 16 << 20, 1 << 20),
  };
  return table;
}

} // namespace quern::bench

// Work that memory limits: a stencil, a transposition through local memory, a sparse matrix; and
// one that integer arithmetic limits.
#include "output_problem.h"

#include "host/host.h"

namespace quern::bench {
namespace {

constexpr size_t tile = 16;

/// Of a square of edge x edge points: a stencil or a transposition.
class GridProblem : public OutputProblem<float> {
public:
  GridProblem(GridOperation operation, size_t edge)
      : OutputProblem(edge * edge), operation_(operation), edge_(edge),
        in_(randomFloats(edge * edge, -1, 1, 1)) {}

  Work work() const override {
    const double points = static_cast<double>(in_.size());
    return {isStencil() ? 5 * points : 0, 8 * points, 8 * points, 8 * points, "B"};
  }

  void runHost() override {
    if (isStencil())
      host::stencil(in_.data(), expected_.data(), edge_, edge_);
    else
      host::transpose(in_.data(), expected_.data(), edge_, edge_);
  }

  std::vector<std::string> variantNames() const override {
    return {isStencil() ? "5 points" : "16x16 tiles"};
  }

private:
  bool isStencil() const { return operation_ == GridOperation::Stencil; }

  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    const cl::Program program = target.program("grid.cl", "-D TILE=" + std::to_string(tile));
    const cl::Buffer in = target.bufferFrom(in_);
    const auto edge = static_cast<cl_int>(edge_);
    const cl::NDRange global(edge_, edge_), local(tile, tile);
    if (isStencil())
      return {{program, "stencil", in, output, edge, edge}, global};
    return {{program, "transpose_tiles", in, output, edge}, global, local};
  }

  std::string differenceFrom(const std::vector<float>& actual) const override {
    return differenceBeyond(actual, expected_, isStencil() ? 1e-6 : 0);
  }

  GridOperation operation_;
  size_t edge_;
  std::vector<float> in_;
};

class SparseProblem : public OutputProblem<float> {
public:
  SparseProblem(size_t rows, size_t entriesPerRow)
      : OutputProblem(rows), rowStarts_(rows + 1),
        columns_(randomInts(rows * entriesPerRow, static_cast<cl_int>(rows), 1)),
        values_(randomFloats(rows * entriesPerRow, -1, 1, 2)),
        vector_(randomFloats(rows, -1, 1, 3)) {
    for (size_t row = 0; row <= rows; ++row) // rows of different lengths, in all as many as asked
      rowStarts_[row] = static_cast<cl_int>(row * entriesPerRow - (row % 2) * (entriesPerRow / 4));
  }

  Work work() const override {
    const double entries = static_cast<double>(values_.size());
    const double bytes = 12 * entries + 8 * static_cast<double>(vector_.size());
    return {2 * entries, bytes, bytes, 2 * entries, "FLOP"};
  }

  void runHost() override {
    host::multiplyRows({rowStarts_.data(), columns_.data(), values_.data()}, vector_.data(),
                       expected_.data(), vector_.size());
  }

  std::vector<std::string> variantNames() const override { return {"row per work-item"}; }

private:
  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    return {{target.program("sparse.cl"), "multiply_rows", target.bufferFrom(rowStarts_),
             target.bufferFrom(columns_), target.bufferFrom(values_), target.bufferFrom(vector_),
             output},
            cl::NDRange(vector_.size())};
  }

  std::string differenceFrom(const std::vector<float>& actual) const override {
    return differenceBeyond(actual, expected_, 1e-5);
  }

  std::vector<cl_int> rowStarts_, columns_;
  std::vector<float> values_, vector_;
};

class BitsProblem : public OutputProblem<cl_int> {
public:
  explicit BitsProblem(size_t count) : OutputProblem(count), in_(randomInts(count, 1 << 30, 1)) {}

  Work work() const override {
    const double operations = 8.0 * rounds * static_cast<double>(in_.size());
    const double bytes = 8 * static_cast<double>(in_.size());
    return {operations, bytes, bytes, operations, "operation"};
  }

  void runHost() override { host::mixBits(in_.data(), expected_.data(), in_.size(), rounds); }

  std::vector<std::string> variantNames() const override { return {"256 rounds"}; }

private:
  Launch launchOf(Target& target, const std::string&, const cl::Buffer& output) const override {
    return {{target.program("mix_bits.cl"), "mix_bits", target.bufferFrom(in_), output, rounds},
            cl::NDRange(in_.size())};
  }

  std::string differenceFrom(const std::vector<cl_int>& actual) const override {
    return difference(actual, expected_);
  }

  static constexpr cl_uint rounds = 256;
  std::vector<cl_int> in_;
};

} // namespace

std::unique_ptr<Problem> makeGrid(GridOperation operation, size_t edge) {
  return std::make_unique<GridProblem>(operation, edge);
}

std::unique_ptr<Problem> makeSparse(size_t rows, size_t entriesPerRow) {
  return std::make_unique<SparseProblem>(rows, entriesPerRow);
}

std::unique_ptr<Problem> makeBits(size_t count) {
  return std::make_unique<BitsProblem>(count);
}

} // namespace quern::bench

// Packets along dimension 1 or 2, where programs count columns there.
#include "kernels/packet_fixture.h"

namespace quern::tests {
namespace {

constexpr int columnsOfInput = 300, rowsOfInput = 80;

/// Runs kernel `k(in, out, n)` for ranges of many shapes, in groups of many shapes. `in` has
/// `rowsOfInput` rows of `columnsOfInput` numbers; `out` has a row for each id of dimension 0.
/// `expected` gets the input, the row, the column and
/// the number of rows.
template <typename Function>
void expectElements(const std::string& source, Function&& expected,
                    std::vector<size_t> offset = {0, 0}) {
  const std::vector<cl_int> input = noise(columnsOfInput * rowsOfInput, 1000);
  Buffer<cl_int> in(input);
  const size_t firstRow = offset[0], firstColumn = offset[1];
  for (const auto& [rows, columns] : {std::pair<size_t, size_t>{64, 256},
                                      {33, 61},
                                      {1, 203},
                                      {3, 100},
                                      {70, 3},
                                      {70, 16},
                                      {5, 17},
                                      {64, 1}}) {
    std::vector<cl_int> wanted(rows * columns);
    for (size_t row = 0; row < rows; ++row)
      for (size_t column = 0; column < columns; ++column)
        wanted[row * columns + column] =
            expected(input, int(row + firstRow), int(column + firstColumn), int(rows));
    const Program program = build(source, openClC3);
    for (const auto& [height, width] :
         {std::pair<size_t, size_t>{1, 1}, {1, 64}, {16, 16}, {7, 5}, {64, 4}}) {
      SCOPED_TRACE(testing::Message()
                   << rows << " x " << columns << " in groups of " << height << " x " << width);
      Buffer<cl_int> out(rows * columns, -1);
      run(program, "k", {{rows, columns}, {height, width}, offset}, in, out, cl_int(columns));
      ASSERT_EQ(out.read(), wanted);
    }
  }
}

TEST(PacketDimensions, rowsInDimension0) {
  expectElements(R"(kernel void k(global const int* in, global int* out, int n) {
        int row = get_global_id(0), column = get_global_id(1);
        out[row * n + column] = in[row * 300 + column] * 3 + column;
      })",
                 [](const auto& in, int row, int column, int) {
                   return in[row * columnsOfInput + column] * 3 + column;
                 });
}

// Planes, rows and columns, in the order of numpy's indices. Groups are seen, or not.
TEST(PacketDimensions, columnsInDimension2) {
  const std::vector<cl_int> input = noise(20'000, 1000);
  Buffer<cl_int> in(input);
  for (const bool areGroupsSeen : {false, true}) {
    const Program program = build(std::string(areGroupsSeen ? "#define SEEN\n" : "") + R"(
      kernel void k(global const int* in, global int* out, int rows, int columns) {
        int plane = get_global_id(0), row = get_global_id(1), column = get_global_id(2);
        int i = (plane * rows + row) * columns + column, sum = 0;
        for (int n = 0; n < 5; ++n)
          if (column + n < columns || row % 2)
            sum = sum * 3 + in[i + n * columns];
        if (row > 0)
          sum += in[i] * 1000;
#ifdef SEEN
        sum += get_local_id(2) * 7 + get_local_id(1) * 5 + get_group_id(0) * 3 + get_local_size(2);
#endif
        out[i] = sum;
      })",
                                  openClC3);
    for (const auto& [planes, rows, columns] : {std::tuple<size_t, size_t, size_t>{4, 24, 96},
                                                {3, 5, 17},
                                                {20, 3, 2},
                                                {1, 1, 203},
                                                {17, 9, 16}})
      for (const auto& [depth, height, width] : {std::tuple<size_t, size_t, size_t>{1, 1, 1},
                                                 {1, 1, 32},
                                                 {2, 3, 4},
                                                 {4, 1, 16},
                                                 {1, 16, 3}}) {
        SCOPED_TRACE(testing::Message()
                     << planes << " x " << rows << " x " << columns << " in groups of " << depth
                     << " x " << height << " x " << width);
        std::vector<cl_int> wanted;
        for (size_t plane = 0; plane < planes; ++plane)
          for (size_t row = 0; row < rows; ++row)
            for (size_t column = 0; column < columns; ++column) {
              const size_t i = wanted.size();
              cl_uint sum = 0;
              for (size_t n = 0; n < 5; ++n)
                if (column + n < columns || row % 2 != 0)
                  sum = sum * 3 + cl_uint(input[i + n * columns]);
              if (row > 0)
                sum += cl_uint(input[i]) * 1000;
              if (areGroupsSeen)
                sum += cl_uint(column % width * 7 + row % height * 5 + plane / depth * 3 +
                               std::min(width, columns - column / width * width));
              wanted.push_back(cl_int(sum));
            }
        Buffer<cl_int> out(wanted.size(), -1);
        run(program, "k", {{planes, rows, columns}, {depth, height, width}}, in, out, cl_int(rows),
            cl_int(columns));
        ASSERT_EQ(out.read(), wanted);
      }
  }
}

TEST(PacketDimensions, rangesWithOffsets) {
  expectElements(R"(kernel void k(global const int* in, global int* out, int n) {
        int row = get_global_id(0), column = get_global_id(1);
        out[(row - get_global_offset(0)) * n + column - get_global_offset(1)] =
            in[row * 300 + column] + row;
      })",
                 [](const auto& in, int row, int column, int) {
                   return in[row * columnsOfInput + column] + row;
                 },
                 {5, 19});
}

/// Too few for packets in dimension 0, and in dimension 1, too.
TEST(PacketDimensions, fewWorkItemsInTwoDimensions) {
  const Program program = build(R"(
    kernel void k(global int* out, int n) {
      int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
      uint sum = 0;
      for (int i = 0; i < (x + z) % n; ++i)
        sum = sum * 7 + (i ^ y);
      out[(z * get_global_size(1) + y) * get_global_size(0) + x] = sum;
    })");
  constexpr std::array<size_t, 3> ranges[] = {{1, 1, 500}, {2, 1, 300}, {3, 2, 50},
                                              {8, 3, 7},   {1, 40, 5},  {9, 2, 30}};
  for (const auto& [x, y, z] : ranges) {
    SCOPED_TRACE(testing::Message() << x << " x " << y << " x " << z);
    Buffer<cl_int> out(x * y * z, -1);
    run(program, "k", {{x, y, z}}, out, 13);
    EXPECT_EQ(out.read(), tabulate<cl_int>(x * y * z, [&](size_t item) {
                const auto column = unsigned(item % x), row = unsigned(item / x % y),
                           plane = unsigned(item / x / y);
                unsigned sum = 0;
                for (unsigned i = 0; i < (column + plane) % 13; ++i)
                  sum = sum * 7 + (i ^ row);
                return cl_int(sum);
              }));
  }
}

TEST(PacketDimensions, productOfMatrices) {
  expectElements(R"(kernel void k(global const int* in, global int* out, int n) {
        int row = get_global_id(0), column = get_global_id(1), sum = 0;
        for (int i = 0; i < 70; ++i)
          sum += in[row * 300 + i] * in[i * 300 + column];
        out[row * n + column] = sum;
      })",
                 [](const auto& in, int row, int column, int) {
                   int sum = 0;
                   for (int i = 0; i < 70; ++i)
                     sum += in[row * columnsOfInput + i] * in[i * columnsOfInput + column];
                   return sum;
                 });
}

TEST(PacketDimensions, bordersAndNeighbours) {
  expectElements(R"(kernel void k(global const int* in, global int* out, int n) {
        int row = get_global_id(0), column = get_global_id(1);
        if (row == 0 || column == 0 || row == get_global_size(0) - 1) {
          out[row * n + column] = 0;
          return;
        }
        int sum = 0;
        for (int y = -1; y <= 1; ++y)
          for (int x = -1; x <= 1; ++x)
            sum += in[(row + y) * 300 + column + x];
        out[row * n + column] = sum;
      })",
                 [](const auto& in, int row, int column, int rows) {
                   if (row == 0 || column == 0 || row == rows - 1)
                     return 0;
                   int sum = 0;
                   for (int y = -1; y <= 1; ++y)
                     for (int x = -1; x <= 1; ++x)
                       sum += in[(row + y) * columnsOfInput + column + x];
                   return sum;
                 });
}

// Conditions on either dimension, each of which bounds a row of packets along it.
TEST(PacketDimensions, rowsAndColumnsThatAreLeftOut) {
  for (const auto& [condition, firstRow, columns] :
       {std::tuple{"row > 2", 3, 10000}, {"column < 41", 0, 41}, {"row > 2 && column < 41", 3, 41}})
    expectElements(
        "kernel void k(global const int* in, global int* out, int n) {\n"
        "  int row = get_global_id(0), column = get_global_id(1);\n"
        "  if (" +
            std::string(condition) + ") out[row * n + column] = in[row * 300 + column] + row;\n}",
        [&](const auto& in, int row, int column, int) {
          return row >= firstRow && column < columns ? in[row * columnsOfInput + column] + row : -1;
        });
}

// What the program asks of its group is in its own dimensions.
TEST(PacketDimensions, placesInGroups) {
  const Program program = build(R"(
      kernel void k(global const int* in, global int* out, int n) {
        int row = get_global_id(0), column = get_global_id(1);
        int place = get_local_id(0) * 1000 + get_local_id(1) * 100 + get_group_id(0) * 10 +
                    get_group_id(1) + get_local_size(0) * 7 + get_local_size(1) * 5 +
                    get_local_linear_id() * 3 + get_global_linear_id() + get_num_groups(1);
        out[row * n + column] = in[row * 300 + column] + place;
      })",
                                openClC3);
  const std::vector<cl_int> input = noise(columnsOfInput * rowsOfInput, 1000);
  Buffer<cl_int> in(input);
  constexpr int rows = 48, columns = 96;
  for (const auto& [height, width] :
       {std::pair<int, int>{1, 1}, {1, 96}, {16, 16}, {3, 32}, {48, 2}}) {
    std::vector<cl_int> wanted(size_t(rows * columns));
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const int y = row % height, x = column % width;
        wanted[size_t(row * columns + column)] =
            input[size_t(row * columnsOfInput + column)] + y * 1000 + x * 100 + row / height * 10 +
            column / width + height * 7 + width * 5 + (x * height + y) * 3 + column * rows + row +
            columns / width;
      }
    SCOPED_TRACE(testing::Message() << "groups of " << height << " x " << width);
    for (int round = 0; round < 3; ++round) {
      Buffer<cl_int> out(wanted.size(), -1);
      run(program, "k", {{rows, columns}, {size_t(height), size_t(width)}}, in, out, columns);
      ASSERT_EQ(out.read(), wanted);
    }
  }
}

} // namespace
} // namespace quern::tests

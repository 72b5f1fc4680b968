// Pipes between kernels: each packet that was written is read once, in order where the language
// says so, and a pipe is full exactly when it holds what it was made for.
#include "kernels/kernel_fixture.h"

#include <algorithm>
#include <numeric>

namespace quern::tests {
namespace {

constexpr const char* options = "-cl-std=CL3.0";

class Pipe {
public:
  Pipe(cl_uint packetBytes, cl_uint capacity) {
    cl_int code = CL_SUCCESS;
    handle_ = clCreatePipe(Device::get().context, 0, packetBytes, capacity, nullptr, &code);
    check(code, "clCreatePipe");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { clReleaseMemObject(handle_); }
  cl_mem handle() const { return handle_; }

private:
  cl_mem handle_ = nullptr;
};

std::vector<cl_int> countedUp(size_t count) {
  return tabulate<cl_int>(count, [](size_t i) { return i * 3 + 1; });
}

std::vector<cl_int> sorted(std::vector<cl_int> values) {
  std::ranges::sort(values);
  return values;
}

class Pipes : public testing::Test {
protected:
  void SetUp() override { QUERN_NEEDS("__opencl_c_pipes"); }
};

constexpr const char* writeAndRead = R"(
  kernel void write(write_only pipe int p, global const int* in, global int* failed) {
    int x = in[get_global_id(0)];
    if (write_pipe(p, &x) != 0)
      atomic_inc(failed);
  }
  kernel void read(read_only pipe int p, global int* out, global int* failed) {
    int x = -1;
    if (read_pipe(p, &x) != 0)
      atomic_inc(failed);
    out[get_global_id(0)] = x;
  }
  kernel void count(read_only pipe int p, global uint* out) {
    out[0] = get_pipe_num_packets(p);
    out[1] = get_pipe_max_packets(p);
  })";

TEST_F(Pipes, bringEachPacketOnce) {
  const Program program = build(writeAndRead, options);
  forEachLocalSize({1, 7, 64}, [&](size_t local) {
    const size_t count = local * 60;
    const std::vector<cl_int> packets = countedUp(count);
    const Pipe pipe(sizeof(cl_int), static_cast<cl_uint>(count));
    Buffer<cl_int> in(packets), out(count), failed(1);
    // The second time round the slots are those of the next lap.
    for (int lap = 0; lap < 3; ++lap) {
      run(program, "write", {{count}, {local}}, pipe.handle(), in, failed);
      run(program, "read", {{count}, {local}}, pipe.handle(), out, failed);
      EXPECT_EQ(sorted(out.read()), packets);
      EXPECT_EQ(failed.read()[0], 0);
    }
  });
}

TEST_F(Pipes, holdWhatTheyWereMadeFor) {
  const Program program = build(writeAndRead, options);
  const size_t capacity = 37, count = 64;
  const Pipe pipe(sizeof(cl_int), capacity);
  Buffer<cl_int> in(countedUp(count)), out(count), failed(1);
  Buffer<cl_uint> counts(2);
  const auto countsNow = [&] {
    run(program, "count", {{1}}, pipe.handle(), counts);
    return counts.read();
  };
  EXPECT_EQ(countsNow(), (std::vector<cl_uint>{0, capacity}));
  for (int lap = 0; lap < 3; ++lap) {
    run(program, "write", {{count}}, pipe.handle(), in, failed);
    EXPECT_EQ(failed.read()[0], cl_int(2 * lap + 1) * cl_int(count - capacity));
    EXPECT_EQ(countsNow(), (std::vector<cl_uint>{capacity, capacity}));
    run(program, "read", {{count}}, pipe.handle(), out, failed);
    EXPECT_EQ(failed.read()[0], cl_int(2 * lap + 2) * cl_int(count - capacity));
    EXPECT_EQ(std::ranges::count(out.read(), -1), std::ptrdiff_t(count - capacity));
    EXPECT_EQ(countsNow(), (std::vector<cl_uint>{0, capacity}));
  }
}

/// Work-items that run together reserve together, in slots that go beyond the end of the pipe, and
/// also where a part of them finds no room.
TEST_F(Pipes, areSharedByWorkItemsThatDiverge) {
  const Program program = build(R"(
    kernel void write(write_only pipe int p, global int* sent) {
      int x = get_global_id(0);
      if (x % 3 != 1 && write_pipe(p, &x) == 0)
        atomic_inc(&sent[x]);
    }
    kernel void write_some(write_only pipe int p, global int* sent) {
      int x = get_global_id(0), count = x % 4;
      reserve_id_t id = reserve_write_pipe(p, count);
      if (!is_valid_reserve_id(id))
        return;
      for (int i = 0; i < count; ++i)
        write_pipe(p, id, i, &x);
      commit_write_pipe(p, id);
      sent[x] += count;
    }
    kernel void read(read_only pipe int p, global int* received) {
      int x;
      if (get_global_id(0) % 5 != 2 && read_pipe(p, &x) == 0)
        atomic_inc(&received[x]);
    })",
                                options);
  const size_t capacity = 301, count = 400;
  for (const char* write : {"write", "write_some"}) {
    SCOPED_TRACE(write);
    const Pipe pipe(sizeof(cl_int), capacity);
    Buffer<cl_int> sent(count), received(count);
    for (int lap = 0; lap < 9; ++lap) {
      run(program, write, {{count}, {lap % 2 ? 50u : 16u}}, pipe.handle(), sent);
      run(program, "read", {{lap % 3 ? count : 131u}}, pipe.handle(), received);
    }
    run(program, "read", {{2 * capacity}}, pipe.handle(), received);
    EXPECT_EQ(sent.read(), received.read());
    const std::vector<cl_int> counts = sent.read();
    EXPECT_GT(std::accumulate(counts.begin(), counts.end(), 0), cl_int(3 * capacity));
  }
}

TEST_F(Pipes, keepTheOrderOfOneWorkItem) {
  const Program program = build(R"(
    kernel void write(write_only pipe int p, int count) {
      for (int i = 0; i < count; ++i)
        write_pipe(p, &i);
    }
    kernel void read(read_only pipe int p, int count, global int* out) {
      for (int i = 0; i < count; ++i)
        read_pipe(p, &out[i]);
    })",
                                options);
  const Pipe pipe(sizeof(cl_int), 100);
  Buffer<cl_int> out(70);
  for (int lap = 0; lap < 4; ++lap) {
    run(program, "write", {{1}}, pipe.handle(), cl_int(70));
    run(program, "read", {{1}}, pipe.handle(), cl_int(70), out);
    EXPECT_EQ(out.read(), tabulate<cl_int>(70, [](size_t i) { return i; }));
  }
}

constexpr const char* reservations = R"(
  kernel void write(write_only pipe int p, global const int* in, uint count, global int* failed) {
    reserve_id_t id = RESERVE_WRITE(p, count);
    if (is_valid_reserve_id(id)) {
      for (uint i = FIRST; i < count; i += STEP) {
        int x = in[GROUP * count + i];
        write_pipe(p, id, i, &x);
      }
      COMMIT_WRITE(p, id);
    } else if (FIRST == 0)
      atomic_inc(failed);
  }
  kernel void read(read_only pipe int p, global int* out, uint count, global int* failed) {
    reserve_id_t id = RESERVE_READ(p, count);
    if (is_valid_reserve_id(id)) {
      for (uint i = FIRST; i < count; i += STEP)
        read_pipe(p, id, i, &out[GROUP * count + i]);
      COMMIT_READ(p, id);
    } else if (FIRST == 0)
      atomic_inc(failed);
  })";

struct Reserver {
  const char* name;
  const char* prefix;
  const char* first;
  const char* step;
  const char* group;
};

void PrintTo(const Reserver& reserver, std::ostream* out) {
  *out << reserver.name;
}

class PipeReservations : public testing::TestWithParam<Reserver> {
protected:
  void SetUp() override { QUERN_NEEDS("__opencl_c_pipes", "__opencl_c_subgroups"); }

  static std::string macros() {
    const auto define = [](const std::string& name, const std::string& value) {
      return " -D" + name + "=" + value;
    };
    const std::string prefix = GetParam().prefix;
    std::string text = options;
    for (const char* direction : {"read", "write"}) {
      std::string upper = direction;
      std::ranges::transform(upper, upper.begin(), [](char c) { return char(c - 'a' + 'A'); });
      text += define("RESERVE_" + upper, prefix + "reserve_" + direction + "_pipe");
      text += define("COMMIT_" + upper, prefix + "commit_" + direction + "_pipe");
    }
    return text + define("FIRST", GetParam().first) + define("STEP", GetParam().step) +
           define("GROUP", GetParam().group);
  }
};

TEST_P(PipeReservations, areOneSetOfPackets) {
  const Program program = build(reservations, macros());
  const bool isItem = GetParam().prefix[0] == 0;
  const size_t local = isItem ? 1 : 4, groups = 30;
  const cl_uint count = 11;
  const std::vector<cl_int> packets = countedUp(groups * count);
  // No multiple of a reservation: some wrap around the end.
  const Pipe pipe(sizeof(cl_int), static_cast<cl_uint>(groups * count + 5));
  Buffer<cl_int> in(packets), out(groups * count), failed(1);
  for (int lap = 0; lap < 3; ++lap) {
    run(program, "write", {{groups * local}, {local}}, pipe.handle(), in, count, failed);
    run(program, "read", {{groups * local}, {local}}, pipe.handle(), out, count, failed);
    const std::vector<cl_int> read = out.read();
    EXPECT_EQ(sorted(read), packets);
    EXPECT_EQ(failed.read()[0], 0);
    for (size_t group = 0; group < groups; ++group)
      for (size_t i = 1; i < count; ++i)
        EXPECT_EQ(read[group * count + i], read[group * count] + cl_int(i) * 3);
  }
}

TEST_P(PipeReservations, areAllOrNothing) {
  const Program program = build(reservations, macros());
  const bool isItem = GetParam().prefix[0] == 0;
  const size_t local = isItem ? 1 : 4, groups = 10;
  const cl_uint count = 7, capacity = 24;
  const Pipe pipe(sizeof(cl_int), capacity);
  Buffer<cl_int> in(countedUp(groups * count)), out(groups * count, -1), failed(1);
  run(program, "write", {{groups * local}, {local}}, pipe.handle(), in, count, failed);
  EXPECT_EQ(failed.read()[0], cl_int(groups - capacity / count));
  run(program, "read", {{groups * local}, {local}}, pipe.handle(), out, count, failed);
  EXPECT_EQ(failed.read()[0], 2 * cl_int(groups - capacity / count));
  // More than the pipe holds, and none.
  for (const cl_uint impossible : {capacity + 1, 0u, ~0u}) {
    Buffer<cl_int> refused(1);
    run(program, "write", {{local}, {local}}, pipe.handle(), in, impossible, refused);
    EXPECT_EQ(refused.read()[0], 1) << impossible;
  }
}

INSTANTIATE_TEST_SUITE_P(, PipeReservations,
                         testing::Values(Reserver{"workItem", "", "0", "1", "get_global_id(0)"},
                                         Reserver{"workGroup", "work_group_", "get_local_id(0)",
                                                  "get_local_size(0)", "get_group_id(0)"},
                                         Reserver{"subGroup", "sub_group_",
                                                  "get_sub_group_local_id()",
                                                  "get_sub_group_size()", "get_group_id(0)"}),
                         [](const auto& test) { return test.param.name; });

TEST_F(Pipes, showNoPacketBeforeItIsCommitted) {
  const Program program = build(R"(
    kernel void both(write_only pipe int p, global int* out) {
      int x = 1, y = 2;
      reserve_id_t first = reserve_write_pipe(p, 1);
      reserve_id_t second = reserve_write_pipe(p, 1);
      write_pipe(p, second, 0, &y);
      commit_write_pipe(p, second);
      // Not committed: what is behind it must wait, too.
      out[0] = is_valid_reserve_id(first);
      write_pipe(p, first, 0, &x);
      out[1] = write_pipe(p, first, 1, &x) < 0;
      commit_write_pipe(p, first);
    }
    kernel void read(read_only pipe int p, global int* out) {
      read_pipe(p, &out[0]);
      read_pipe(p, &out[1]);
      int none;
      out[2] = read_pipe(p, &none) < 0;
    })",
                                options);
  const Pipe pipe(sizeof(cl_int), 2);
  Buffer<cl_int> out(3);
  run(program, "both", {{1}}, pipe.handle(), out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{1, 1, 0}));
  run(program, "read", {{1}}, pipe.handle(), out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{1, 2, 1}));
}

TEST_F(Pipes, haveNoInvalidReservation) {
  const Program program = build(R"(
    kernel void k(write_only pipe int p, global int* out) {
      local reserve_id_t ids[2];
      ids[0] = reserve_write_pipe(p, 1);
      ids[1] = reserve_write_pipe(p, 1);
      out[0] = is_valid_reserve_id(ids[0]);
      out[1] = is_valid_reserve_id(ids[1]);
      out[2] = is_valid_reserve_id(CLK_NULL_RESERVE_ID);
      int x = 5;
      write_pipe(p, ids[0], 0, &x);
      commit_write_pipe(p, ids[0]);
    })",
                                options);
  const Pipe pipe(sizeof(cl_int), 1);
  Buffer<cl_int> out(3, 7);
  run(program, "k", {{1}}, pipe.handle(), out);
  EXPECT_EQ(out.read(), (std::vector<cl_int>{1, 0, 0}));
}

/// Packets of many sizes and alignments, through functions of the program.
TEST_F(Pipes, carryEveryType) {
  const auto source = [](const std::string& type, const std::string& bytes) {
    return "typedef struct { char a; int b; uchar c[13]; } record;\n"
           "int put(write_only pipe " +
           type + " p, const global " + type +
           "* x) {\n"
           "  return write_pipe(p, x);\n}\n"
           "kernel void write(write_only pipe " +
           type + " p, global const " + type +
           "* in) {\n"
           "  put(p, &in[get_global_id(0)]);\n}\n"
           "kernel void read(read_only pipe " +
           type + " p, global " + type +
           "* out) {\n"
           "  " +
           type +
           " x;\n"
           "  if (read_pipe(p, &x) == 0) out[get_global_id(0)] = x;\n}\n"
           "kernel void size(global uint* out) { *out = sizeof(" +
           type + ") == " + bytes + "; }\n";
  };
  const std::pair<const char*, cl_uint> types[] = {
      {"char", 1},  {"ushort", 2},   {"float", 4},   {"long", 8},      {"char3", 4},  {"short4", 8},
      {"int3", 16}, {"double2", 16}, {"float8", 32}, {"ulong16", 128}, {"record", 24}};
  for (const auto& [type, bytes] : types) {
    SCOPED_TRACE(type);
    const Program program = build(source(type, std::to_string(bytes)), options);
    Buffer<cl_uint> isSize(1);
    run(program, "size", {{1}}, isSize);
    ASSERT_EQ(isSize.read()[0], 1u);
    const size_t count = 20;
    const Pipe pipe(bytes, count);
    const auto contents =
        tabulate<cl_uchar>(bytes * count, [](size_t i) { return i * 7 + i / 100; });
    Buffer<cl_uchar> in(contents), out(bytes * count);
    run(program, "write", {{count}, {1}}, pipe.handle(), in);
    run(program, "read", {{count}, {1}}, pipe.handle(), out);
    // A packet is copied as a whole but for padding, which need not be.
    const std::vector<cl_uchar> read = out.read();
    size_t found = 0;
    for (size_t i = 0; i < count; ++i)
      for (size_t j = 0; j < count; ++j)
        found += read[i * bytes] == contents[j * bytes] &&
                 std::equal(&read[i * bytes + bytes / 2 / 4 * 4],
                            &read[i * bytes + bytes / 2 / 4 * 4] + 1,
                            &contents[j * bytes + bytes / 2 / 4 * 4]);
    EXPECT_GE(found, count);
  }
}

/// A pipe that was made for other packets than the kernel has.
TEST_F(Pipes, leavePacketsOfAnotherSizeAlone) {
  const Program program = build(writeAndRead, options);
  const Pipe pipe(2, 8);
  Buffer<cl_int> in(countedUp(4)), failed(1);
  run(program, "write", {{4}}, pipe.handle(), in, failed);
  EXPECT_EQ(failed.read()[0], 4);
}

/// Writers and readers at the same time, and a pipe that is nearly always full.
TEST_F(Pipes, connectKernelsThatRunTogether) {
  const Program program = build(R"(
    kernel void both(write_only pipe int to, read_only pipe int from, int count,
                     global int* sums) {
      int written = 0, sum = 0, packets = 0;
      // Nobody waits for another: each does what it can.
      for (int tries = 0; tries < count; ++tries) {
        int x = get_global_id(0) * count + written;
        if (write_pipe(to, &x) == 0) ++written;
        if (read_pipe(from, &x) == 0) { sum += x; ++packets; }
      }
      int own = 0;
      for (int i = 0; i < written; ++i) own += get_global_id(0) * count + i;
      global int* out = sums + 4 * get_global_id(0);
      out[0] = written; out[1] = own; out[2] = packets; out[3] = sum;
    }
    kernel void rest(read_only pipe int from, global int* out) {
      int x;
      while (read_pipe(from, &x) == 0) { ++out[0]; out[1] += x; }
    })",
                                options);
  // A kernel may not write and read one pipe: two kernels exchange through two, on two queues.
  const Pipe there(sizeof(cl_int), 16), back(sizeof(cl_int), 3);
  const size_t items = 256;
  const cl_int count = 200;
  cl_int code = CL_SUCCESS;
  const cl_queue_properties outOfOrder[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(Device::get().context,
                                                              Device::get().id, outOfOrder, &code);
  check(code, "clCreateCommandQueueWithProperties");
  Buffer<cl_int> first(items * 4), second(items * 4), rest(2);
  Kernel a(program, "both"), b(program, "both");
  a.setAll(there.handle(), back.handle(), count, first);
  b.setAll(back.handle(), there.handle(), count, second);
  const size_t local = 8;
  for (const Kernel* kernel : {&a, &b})
    check(clEnqueueNDRangeKernel(queue, kernel->handle(), 1, nullptr, &items, &local, 0, nullptr,
                                 nullptr),
          "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  clReleaseCommandQueue(queue);
  run(program, "rest", {{1}}, there.handle(), rest);
  run(program, "rest", {{1}}, back.handle(), rest);
  cl_int written = 0, sent = 0, packets = rest.read()[0], received = rest.read()[1];
  for (const auto& sums : {first.read(), second.read()})
    for (size_t i = 0; i < items; ++i) {
      written += sums[4 * i];
      sent += sums[4 * i + 1];
      packets += sums[4 * i + 2];
      received += sums[4 * i + 3];
    }
  EXPECT_EQ(written, packets);
  EXPECT_EQ(sent, received);
  EXPECT_GT(written, 0);
}

} // namespace
} // namespace quern::tests

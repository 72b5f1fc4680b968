#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace quern::test {
namespace {

struct Outcome {
  int exitStatus = -1;
  std::string output; ///< standard output and standard error together
};

class ToolTest : public ::testing::Test {
protected:
  /// Runs the tool with `arguments`, as a shell would.
  Outcome run(const std::string& arguments) {
    const char* tool = std::getenv("QUERN_TOOL");
    const std::string command = "cd '" + folder.path() + "' && QUERN_CACHE_DIR='" +
                                (folder / "cache") + "' '" + (tool ? tool : "quern") + "' " +
                                arguments + " 2>&1";
    Outcome outcome;
    FILE* pipe = popen(command.c_str(), "r");
    if (!pipe)
      return outcome;
    char buffer[4096];
    for (size_t count; (count = fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
      outcome.output.append(buffer, count);
    outcome.exitStatus = WEXITSTATUS(pclose(pipe));
    return outcome;
  }
  void expectRun(const std::string& arguments, int exitStatus, const std::string& text) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(exitStatus, outcome.exitStatus) << arguments << "\n" << outcome.output;
    EXPECT_NE(std::string::npos, outcome.output.find(text)) << arguments << "\n" << outcome.output;
  }

  const TemporaryFolder folder;
};

TEST_F(ToolTest, everyCommandHasHelp) {
  expectRun("--help", 0, "Usage: quern");
  expectRun("--version", 0, "quern ");
  for (const char* command :
       {"info", "run", "check", "compile", "bench", "report", "cache", "trace", "options", "icd"})
    expectRun(std::string(command) + " --help", 0, std::string("Usage: quern ") + command);
}

TEST_F(ToolTest, timelinesAreSummarised) {
  std::ofstream(folder / "timeline.json") << R"([
{"ph":"M","cat":"__metadata","name":"process_name","pid":1,"tid":0,"ts":0.000,"args":{"name":"program"}},
{"ph":"X","cat":"kernel","name":"scale","pid":5,"tid":64,"ts":1.000,"dur":10.000,"args":{"command":1,"bytes":40000,"packet_width":16}},
{"ph":"X","cat":"kernel","name":"scale","pid":5,"tid":64,"ts":20.000,"dur":20.000,"args":{"command":2,"bytes":40000,"packet_width":16}},
{"ph":"X","cat":"kernel","name":"small","pid":5,"tid":64,"ts":50.000,"dur":10.000,"args":{"command":3,"packet_width":8,"grown":1}},
{"ph":"X","cat":"repeated","name":"small","pid":1,"tid":7,"ts":50.000,"dur":10.000,"args":{"times":100}},
{"ph":"X","cat":"transfer","name":"write buffer","pid":5,"tid":64,"ts":70.000,"dur":2.000,"args":{"command":4,"bytes":4000}}
]
)";
  const Outcome outcome = run("trace summary timeline.json");
  EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
  const auto lineOf = [&](const std::string& name) {
    const size_t at = outcome.output.find(name + " ");
    std::istringstream line(at == std::string::npos ? "" : outcome.output.substr(at + name.size()));
    std::vector<std::string> words;
    for (std::string word; words.size() < 6 && line >> word;)
      words.push_back(word);
    return words;
  };
  // Launches, total, share, median, bandwidth, packet width.
  EXPECT_EQ(lineOf("scale"),
            (std::vector<std::string>{"2", "0.030", "75.0%", "20.00", "2.67", "16"}));
  EXPECT_EQ(lineOf("small"), (std::vector<std::string>{"100", "0.010", "25.0%", "0.10", "-", "8"}));
  EXPECT_EQ(lineOf("write buffer"),
            (std::vector<std::string>{"1", "0.002", "100.0%", "2.00", "2.00", "-"}));
  std::ofstream(folder / "other.txt") << "not a timeline\n";
  expectRun("trace summary other.txt", 1, "not a timeline");
  expectRun("trace summary missing.json", 1, "missing.json cannot be read");
}

TEST_F(ToolTest, wrongArgumentsAreExplained) {
  expectRun("", 2, "subcommand");
  expectRun("frobnicate", 2, "frobnicate");
  expectRun("info --frobnicate", 2, "--frobnicate");
  expectRun("compile", 2, "no file");
  expectRun("compile x.cl --emit nonsense", 2, "nonsense");
  expectRun("bench --frobnicate", 2, "--frobnicate");
  expectRun("report --frobnicate", 2, "--frobnicate");
}

// The benchmark is a program of its own, which gets its arguments as they are.
TEST_F(ToolTest, benchPassesArgumentsOn) {
  expectRun("bench --repeat 0", 2, "--repeat");
  expectRun("bench --kernel info --repeat 0", 2, "--repeat");
  expectRun("bench --platform 'none of these' --repeat 1", 2, "platform");
}

/// Whatever the loader would find.
TEST_F(ToolTest, benchMeasuresTheQuernItBelongsTo) {
  setenv("OCL_ICD_VENDORS", folder.path().c_str(), 1);
  const std::string bench = "bench --quick --repeat 1 --kernel 'launch and'";
  expectRun(bench, 0, "libquern.so");
  expectRun(bench, 0, "No other platform was found");
  expectRun(bench + " --platform missing", 2,
            "no platform is called 'missing'; there are: 'Quern'");
  unsetenv("OCL_ICD_VENDORS");
}

TEST_F(ToolTest, infoListsTheDevice) {
  expectRun("info", 0, "Device 0:");
  expectRun("info", 0, "quern-compiler-process");
}

TEST_F(ToolTest, runGivesAProgramQuernOnly) {
  expectRun("run env", 0, "OCL_ICD_VENDORS=/");
  expectRun("run sh -c 'cat $OCL_ICD_VENDORS/*.icd'", 0, "libquern.so\n");
  // The driver's folder comes before what the caller has.
  ASSERT_EQ(0, setenv("LD_LIBRARY_PATH", "/nonexistent/libraries", 1));
  expectRun("run sh -c 'ls ${LD_LIBRARY_PATH%%:*}; echo $LD_LIBRARY_PATH'", 0, "libquern.so\n");
  expectRun("run sh -c 'echo $LD_LIBRARY_PATH'", 0, ":/nonexistent/libraries\n");
  ASSERT_EQ(0, unsetenv("LD_LIBRARY_PATH"));
  // A program's options and its exit status are its own.
  expectRun("run sh -c 'echo $0 $1' --help --version", 0, "--help --version\n");
  expectRun("run sh -c 'exit 9'", 9, "");
  expectRun("run -n 2 sh -c 'echo $QUERN_DEVICES $# $1' a b", 0, "remote 1 b\n");
  expectRun("run -n 2 sh -c 'exit 9'", 9, "");
  expectRun("run -n 2 echo :", 2, "an argument ':' cannot be given");
  expectRun("run --hosts /dev/null true", 2, "/dev/null names no host");
  expectRun("run", 2, "no program to run is named");
  expectRun("run ./nothing-here", 127, "./nothing-here cannot be run: No such file");
  expectRun("run /", 126, "cannot be run: Permission denied");
}

TEST_F(ToolTest, checkSaysWhatWasFound) {
  expectRun("check sh -c 'echo $QUERN_CHECK'", 0, "all\n");
  expectRun("check --checks memory,races sh -c 'echo $QUERN_CHECK'", 0, "memory,races\n");
  expectRun("check true", 0, "no fault was found");
  // A program's options and its exit status are its own.
  expectRun("check sh -c 'echo $0; exit 9' --json", 9, "--json\n");
  // What the driver writes for a place with a fault.
  const std::string faulty = "sh -c 'echo {\\\"event\\\":\\\"fault\\\"} >> $QUERN_CHECK_REPORT'";
  expectRun("check " + faulty, 99, "faults were found at 1 place");
  expectRun("check --exit-status 7 " + faulty, 7, "faults were found at 1 place");
  const std::string json = folder / "found.json";
  expectRun("check --json " + json + " " + faulty + "; cat " + json, 0, "{\"event\":\"fault\"}\n");
  expectRun("check --json /dev/null/found.json true", 1, "cannot be written");
  expectRun("check", 2, "no program to check is named");
  expectRun("check ./nothing-here", 127, "./nothing-here cannot be run: No such file");
}

TEST_F(ToolTest, icdNamesTheDriver) {
  expectRun("icd", 0, "/libquern.so\n");
  expectRun("icd | xargs ls", 0, "/libquern.so\n");
}

TEST_F(ToolTest, optionsPrintsTheTable) {
  expectRun("options", 0, "QUERN_CACHE_DIR=path");
  // The value in force.
  expectRun("options", 0, "now: " + (folder / "cache"));
}

TEST_F(ToolTest, cacheIsShownAndCleared) {
  expectRun("cache", 0, "0 entries");
  std::filesystem::create_directory(folder / "cache");
  std::filesystem::permissions(folder / "cache", std::filesystem::perms::owner_all);
  writeFile(folder / "cache/0123.qce", "an entry");
  expectRun("cache", 0, "1 entries");
  expectRun("cache --clear", 0, "deleted 1 entries");
  expectRun("cache", 0, "0 entries");
}

TEST_F(ToolTest, diagnosticsNameFileLineAndColumn) {
  writeFile(folder / "good.cl",
            "#include \"value.h\"\nkernel void f(global int* p) { p[0] = VALUE; }\n");
  writeFile(folder / "value.h", "#define VALUE 1\n");
  const Outcome good = run("compile good.cl");
  EXPECT_EQ(0, good.exitStatus);
  EXPECT_EQ("", good.output);
  writeFile(folder / "bad.cl", "kernel void f(global int* p) {\n  p[0] = missing;\n}\n");
  expectRun("compile bad.cl", 1, "bad.cl:2:10: error");
  expectRun("compile nothing.cl", 1, "nothing.cl cannot be read");
  expectRun("compile good.cl --options \"-no-such-option\"", 1, "-no-such-option");
  expectRun("compile good.cl -o /nonexistent/folder/x", 1, "cannot be written");
}

TEST_F(ToolTest, aReportSaysHowRegionsRun) {
  writeFile(folder / "k.cl", R"(
kernel void sums(global const float* in, global float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[get_global_id(0) + i];
  out[get_global_id(0)] = sum;
}
kernel __attribute__((reqd_work_group_size(4, 4, 1))) void square(global const float* in,
                                                                  global float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[4 * get_local_id(1) + get_local_id(0) + i];
  out[4 * get_local_id(1) + get_local_id(0)] = sum;
}
kernel void lock(global int* word) { while (atomic_xchg(word, 1)) {} *word = 0; }
)");
  expectRun("compile k.cl --report", 0, "kernel sums, region 0: packets of ");
  expectRun("compile k.cl --report", 0, "accesses: 2 contiguous");
  expectRun("compile k.cl --report", 0, "kernel square, region 0: packets of 4 work-items");
  expectRun("compile k.cl --report", 0,
            "kernel lock, region 0: one work-item after the other, because it");
}

// What a kernel that takes long becomes, as the log names it.
TEST_F(ToolTest, aReportSaysHowVariantsRun) {
  writeFile(folder / "k.cl", R"(
kernel void sums(global const int* in, global int* out, local int* all) {
  all[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < get_local_size(0); ++i) sum += all[i];
  out[get_global_id(0)] = sum;
}
kernel void histogram(global const int* in, global int* counts) {
  for (int i = get_global_id(0); i < 1000000; i += get_global_size(0)) atomic_inc(&counts[in[i]]);
}
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void required(global int* out) {
  out[get_global_id(0)] = get_local_size(0);
}
)");
  const std::string facts = "--local-size 4 --whole-groups --disjoint-buffers";
  expectRun("compile k.cl --report " + facts, 0,
            "code for work-groups of 4 x 1 x 1, all whole, and disjoint buffers:");
  expectRun("compile k.cl --report " + facts, 0,
            "kernel sums, region 0: groups as packets of 4 work-items");
  expectRun("compile k.cl --report --local-size 8,2", 0, "code for work-groups of 8 x 2 x 1:");
  const std::string collected = "kernel histogram: what atomic operations do is collected";
  expectRun("compile k.cl --report --disjoint-buffers", 0, collected);
  EXPECT_EQ(std::string::npos, run("compile k.cl --report").output.find(collected));
  expectRun("compile k.cl --report --argument 1=3,2=-4", 0,
            "code for 3 as argument 1, and -4 as argument 2:");
  writeFile(folder / "rows.cl", "kernel void rows(global int* out, int width) {"
                                " out[get_global_id(0) * width] = 0; }");
  const std::string rows = run("compile rows.cl --emit llvm --step clean-up --argument 1=7").output;
  EXPECT_NE(std::string::npos, rows.find("mul i64 %global.id, 28")) << rows;
  expectRun("compile k.cl --report --argument 1:3", 2, "'1:3' is no argument's index and value");
  expectRun("compile k.cl --report --argument 0=1,1=1,2=1,3=1,4=1,5=1,6=1,7=1,8=1", 2,
            "at most 8 arguments");
  // A kernel that requires a size has no launches of another.
  const std::string assembly = run("compile k.cl --emit llvm --local-size 4").output;
  const size_t required = assembly.find("@quern.kernel.required(");
  ASSERT_NE(std::string::npos, required) << assembly;
  EXPECT_NE(std::string::npos, assembly.find("i32 16", required)) << assembly;
  expectRun("compile k.cl -o k.bin --local-size 4", 2, "a binary must run all launches");
  expectRun("compile k.cl --report --local-size 0", 2, "--local-size");
}

TEST_F(ToolTest, codeOfOneWorkItemHasNoPackets) {
  std::string source = "kernel void k(global int* p) { if (get_global_id(0) != 0) return;\n";
  for (int i = 0; i < 40; ++i)
    source += "p[" + std::to_string(i) + "] = p[" + std::to_string(i + 50) + "] * 3;\n";
  writeFile(folder / "k.cl", source + "}\n");
  expectRun("compile k.cl --report", 0, "kernel k, region 0: one work-item after the other");
}

/// The compiler's time would grow with the square of their number.
TEST_F(ToolTest, kernelsOfManyRegionsHavePackets) {
  std::string source = "kernel void k(global int* out, local int* l) { int x = 0;\n";
  for (int i = 0; i < 30; ++i)
    source += "l[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE); x += l[3];\n";
  writeFile(folder / "k.cl", source + "out[get_global_id(0)] = x; }\n");
  expectRun("compile k.cl --report", 0, "kernel k, region 30: packets of");
}

TEST_F(ToolTest, passesAreWatchedAsLlvmsAre) {
  writeFile(folder / "k.cl", "kernel void triple(global int* p) { p[get_global_id(0)] *= 3; }\n");
  expectRun("compile k.cl --verify", 0, "");
  expectRun("compile k.cl --llvm=-print-after=form-packets", 0, "IR Dump After");
  expectRun("compile k.cl --llvm=-time-passes", 0, "WorkItemBodiesPass");
  expectRun("compile k.cl --llvm=-opt-bisect-limit=5", 0, "NOT running pass (6)");
}

TEST_F(ToolTest, everyFormIsWritten) {
  writeFile(folder / "k.cl", "kernel void triple(global int* p) { p[get_global_id(0)] *= 3; }\n");
  expectRun("compile k.cl --emit asm", 0, "triple");
  expectRun("compile k.cl --emit llvm", 0, "define ");
  expectRun("compile --list-steps", 0, "\n");
  const Outcome steps = run("compile --list-steps");
  const std::string first = steps.output.substr(0, steps.output.find('\n'));
  expectRun("compile k.cl --emit llvm --step " + first, 0, "define ");
  expectRun("compile k.cl --emit llvm --step nonsense", 1, "nonsense");
  expectRun("compile k.cl --emit obj -o k.o", 0, "");
  EXPECT_TRUE(readFile(folder / "k.o")
                  .starts_with("\x7f"
                               "ELF"));
  writeFile(folder / "marked.cl", "\xef\xbb\xbf"
                                  "kernel void k(global int* p) { *p = 1; }\n");
  expectRun("compile marked.cl --emit asm", 0, "k");
  expectRun("compile k.cl -o k.bin", 0, "");
  EXPECT_TRUE(readFile(folder / "k.bin").starts_with("QUERNBIN"));
  expectRun("compile - --emit llvm < k.cl", 0, "triple");
  expectRun("compile k.cl --emit spirv -o k.spv", 0, "");
  EXPECT_TRUE(readFile(folder / "k.spv").starts_with("\x03\x02\x23\x07"));
}

TEST_F(ToolTest, anEmptyValueIsNoValueOfTheNextWord) {
  writeFile(folder / "k.cl", "kernel void k(global int* p) { p[0] = 1; }");
  expectRun("compile k.cl --options= --emit llvm -o k.ll", 0, "");
  EXPECT_TRUE(std::filesystem::exists(folder / "k.ll"));
  expectRun("run echo --empty= word", 0, "--empty= word");
}

TEST_F(ToolTest, validatorsAcceptWhatIsWritten) {
  writeFile(folder / "k.cl",
            "constant int table[] = {1, 2, 3}; global int* nothing;\n"
            "struct Node { int value; global int* next; }; global struct Node node = {3, 0};\n"
            "global int* none[2] = {0, 0}; constant struct Node nodes[2] = {{1, 0}, {2, 0}};\n"
            "kernel void k(global int* p, float4 v, read_only image2d_t image, sampler_t s) {\n"
            "  local float l[64]; int i = get_local_id(0); l[i] = dot(v, v) + i;\n"
            "  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  v += read_imagef(image, s, (int2)(i, 1));\n"
            "  printf(\"%d %s %v4f\\n\", *p, \"text\", v); atomic_add(p, table[i % 3]);\n"
            "  p[i] += (nothing == 0) + node.value + (none[i & 1] == 0) + nodes[i & 1].value;\n"
            "  p[i] += any(convert_char4(v)) + all(convert_long3(v.xyz)) + any(i) + all(p[i]);\n"
            "  p[i] += convert_int_sat(l[i ^ 1]) + sub_group_reduce_add(i); }\n");
  expectRun("compile k.cl --options=-cl-std=CL3.0 --emit spirv -o k.spv", 0, "");
  EXPECT_EQ(std::system((QUERN_SPIRV_VAL " '" + (folder / "k.spv") + "'").c_str()), 0);
}

} // namespace
} // namespace quern::test

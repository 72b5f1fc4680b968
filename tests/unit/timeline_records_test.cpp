// What threads record of a timeline reaches its file whole and once, also when there is no more
// room.
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pthread.h>

#include "base/sentence.h"
#include "temporary_folder.h"
#include "trace/names.h"
#include "trace/recorder.h"

namespace quern::trace {
namespace {

using Json = nlohmann::json;

/// Takes all that is left and expects numbers from `next` on, without a gap.
struct Reader {
  uint64_t next = 0;

  bool take(ThreadRecords& records) {
    return records.take([&](Kind kind, const std::byte* bytes) {
      ASSERT_TRUE(kind == Kind::Dependency || kind == Kind::Slice);
      uint64_t number = 0, check = 0;
      if (kind == Kind::Dependency) {
        Dependency record;
        std::memcpy(&record, bytes, sizeof(record));
        number = record.earlier;
        check = record.later;
      } else {
        Slice record;
        std::memcpy(&record, bytes, sizeof(record));
        number = record.started;
        check = record.argument.value;
      }
      ASSERT_EQ(number, next);
      ASSERT_EQ(check, ~number);
      ++next;
    });
  }
};

/// Records of two sizes in turn.
bool add(ThreadRecords& records, uint64_t number) {
  if (number % 3 == 0)
    return records.add(Slice{.started = number, .argument = {"check", ~number}});
  return records.add(Dependency{.earlier = number, .later = ~number});
}

TEST(TimelineRecords, comeInOrderWhileOthersAreAdded) {
  BlockPool pool;
  constexpr uint64_t count = 2'000'000;
  std::atomic<ThreadRecords*> made{nullptr};
  std::atomic<bool> isDone{false};
  std::thread writer([&] {
    ThreadRecords records(pool);
    made = &records;
    for (uint64_t i = 0; i < count; ++i)
      while (!add(records, i))
        std::this_thread::yield();
    records.end();
    isDone.wait(false);
  });
  ThreadRecords* records = nullptr;
  while (!(records = made))
    std::this_thread::yield();
  Reader reader;
  for (bool hasEnded = false, isLeft = true; !hasEnded || isLeft;) {
    hasEnded = records->hasEnded();
    isLeft = reader.take(*records);
  }
  EXPECT_EQ(reader.next, count);
  isDone = true;
  isDone.notify_all();
  writer.join();
}

TEST(TimelineRecords, areKeptWhenThereIsNoMoreRoom) {
  BlockPool pool;
  ThreadRecords records(pool);
  Reader reader;
  uint64_t next = 0;
  for (int round = 0; round < 2; ++round) {
    while (add(records, next))
      ++next;
    EXPECT_FALSE(add(records, next));
    while (reader.take(records)) {
    }
    EXPECT_EQ(reader.next, next);
  }
  // Others have room, too: for two blocks each.
  ThreadRecords other(pool);
  Reader otherReader;
  constexpr uint64_t mostOfTwoBlocks = Block::size * 3 / 2 / (sizeof(Slice) + sizeof(uint64_t));
  for (uint64_t i = 0; i < 10 * mostOfTwoBlocks; ++i) {
    EXPECT_TRUE(add(other, i));
    if (i % mostOfTwoBlocks == 0)
      while (otherReader.take(other)) {
      }
  }
}

/// Threads that enqueue commands, each after the one before it, and others that end them, as a
/// queue and its workers do.
class TimelineFile : public ::testing::Test {
protected:
  static constexpr uint64_t threads = 3, commands = 8'000;

  static uint64_t numberOf(uint64_t thread, uint64_t i) { return i * threads + thread + 1; }

  void enqueue(Recorder& recorder, uint64_t thread, Track track) {
    pthread_setname_np(pthread_self(), sentence("enqueuer ", thread).c_str());
    const auto records = recorder.addThread();
    for (uint64_t i = 0; i < commands; ++i) {
      const uint64_t number = numberOf(thread, i), time = 1000 * i;
      if (i > 0)
        EXPECT_TRUE(records->add(Dependency{.earlier = numberOf(thread, i - 1), .later = number}));
      EXPECT_TRUE(records->add(Queued{.command = number,
                                      .time = time,
                                      .bytes = number,
                                      .category = "transfer",
                                      .name = name,
                                      .track = track}));
    }
    records->end();
  }

  void end(Recorder& recorder, uint64_t thread) {
    const auto records = recorder.addThread();
    for (uint64_t i = 0; i < commands; ++i)
      EXPECT_TRUE(records->add(Ended{.command = numberOf(thread, i),
                                     .submitted = 1000 * i + 100,
                                     .started = 1000 * i + 200,
                                     .ended = 1000 * i + 900}));
    records->end();
  }

  const quern::test::TemporaryFolder folder;
  const std::string path = folder / "timeline.json";
  const Name name = Names::get().add("a \"quoted\"\nname");
};

TEST_F(TimelineFile, hasEachCommandOnceWithItsArrows) {
  Result<TraceFile> file = TraceFile::create(path);
  ASSERT_TRUE(file.ok());
  Recorder recorder(*std::move(file));
  std::vector<std::thread> all;
  for (uint64_t thread = 0; thread < threads; ++thread) {
    const Track track = Names::get().addRow("a device", sentence("queue ", thread));
    all.emplace_back([&, thread, track] { enqueue(recorder, thread, track); });
    all.emplace_back([&, thread] { end(recorder, thread); });
  }
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(recorder.writeAll());
  for (std::thread& thread : all)
    thread.join();
  EXPECT_TRUE(recorder.writeAll());

  std::ifstream text(path);
  const Json events = Json::parse(text, nullptr, false);
  ASSERT_TRUE(events.is_array());
  std::set<uint64_t> seen;
  std::map<uint64_t, int> arrowEnds;
  for (const Json& event : events) {
    if (event["ph"] == "X") {
      EXPECT_EQ(event["name"], "a \"quoted\"\nname");
      const uint64_t number = event["args"]["command"];
      EXPECT_EQ(event["args"]["bytes"], number);
      EXPECT_TRUE(seen.insert(number).second) << number;
    } else if (event["ph"] == "s" || event["ph"] == "f") {
      ++arrowEnds[event["id"].get<uint64_t>()];
    }
  }
  EXPECT_EQ(seen.size(), threads * commands);
  EXPECT_EQ(arrowEnds.size(), threads * (commands - 1));
  for (const auto& [id, ends] : arrowEnds)
    EXPECT_EQ(ends, 2) << id;
}

TEST_F(TimelineFile, namesThreadsThatHaveEnded) {
  Result<TraceFile> file = TraceFile::create(path);
  ASSERT_TRUE(file.ok());
  Recorder recorder(*std::move(file));
  std::thread([&] {
    pthread_setname_np(pthread_self(), "short-lived");
    const auto records = recorder.addThread();
    EXPECT_TRUE(records->add(Slice{.category = "work", .name = name, .started = 1, .ended = 2}));
    records->end();
  }).join();
  EXPECT_TRUE(recorder.writeAll());
  std::ifstream text(path);
  const Json events = Json::parse(text, nullptr, false);
  EXPECT_TRUE(std::ranges::any_of(events, [](const Json& event) {
    return event["ph"] == "M" && event["args"]["name"] == "short-lived";
  })) << events;
}

} // namespace
} // namespace quern::trace

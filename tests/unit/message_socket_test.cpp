#include "base/message_socket.h"

#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/socket.h>

namespace quern {
namespace {

struct Connection {
  std::unique_ptr<MessageSocket> here, there;
  Connection() {
    int files[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, files) != 0)
      throw std::runtime_error("socketpair failed");
    here = std::make_unique<MessageSocket>(files[0]);
    there = std::make_unique<MessageSocket>(files[1]);
  }
};

/// More than the connection holds at once for the larger ones.
TEST(MessageSocket, MessagesArriveWholeAndInOrder) {
  Connection connection;
  const size_t sizes[] = {0, 1, 70'000, 5'000'000, 3};
  std::thread sender([&] {
    for (const size_t size : sizes)
      EXPECT_TRUE(connection.here->send(Bytes(size, static_cast<std::byte>(size))).ok());
  });
  for (const size_t size : sizes) {
    const Result<Bytes> message = connection.there->receive();
    ASSERT_TRUE(message.ok());
    EXPECT_EQ(message.value(), Bytes(size, static_cast<std::byte>(size)));
  }
  sender.join();
}

TEST(MessageSocket, AClosedEndIsAnErrorAndNoSignal) {
  Connection connection;
  EXPECT_FALSE(connection.here->isClosed());
  connection.there.reset();
  EXPECT_TRUE(connection.here->isClosed());
  EXPECT_FALSE(connection.here->send(Bytes(3)).ok());
  EXPECT_FALSE(connection.here->receive().ok());
}

TEST(MessageSocket, AMessageCanBeWaitedFor) {
  Connection connection;
  EXPECT_FALSE(connection.here->waitForMessage(0));
  ASSERT_TRUE(connection.there->send(Bytes(1)).ok());
  EXPECT_TRUE(connection.here->waitForMessage(60'000));
}

TEST(MessageSocket, AMessageThatBreaksOffIsAnError) {
  Connection connection;
  const uint64_t promised = 100;
  ASSERT_EQ(send(connection.there->file(), &promised, sizeof(promised), 0), 8);
  ASSERT_EQ(send(connection.there->file(), "abc", 3, 0), 3);
  connection.there.reset();
  EXPECT_FALSE(connection.here->receive().ok());
}

} // namespace
} // namespace quern

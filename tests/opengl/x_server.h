#pragma once

namespace quern::test {

/// Starts an X server that draws into memory, unless that was done before, and points DISPLAY to
/// it. It ends with this process. Throws std::runtime_error.
void startXServer();

} // namespace quern::test

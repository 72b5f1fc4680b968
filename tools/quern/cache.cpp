#include <cstdint>
#include <cstdio>
#include <memory>

#include "base/config.h"
#include "commands.h"
#include "runtime/cache_folder.h"

namespace quern::tool {

namespace {

double toMiB(uint64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

void showOrClear(bool clear) {
  const runtime::CacheFolder folder(runtime::configuredCacheFolder());
  if (folder.path().empty())
    throw Failure("there is no program cache: QUERN_CACHE is off, or neither QUERN_CACHE_DIR, "
                  "XDG_CACHE_HOME nor HOME names a folder");
  const runtime::CacheFolder::Usage usage = clear ? folder.clear() : folder.usage();
  std::printf("%s: %s%llu entries, %.1f MiB", folder.path().c_str(), clear ? "deleted " : "",
              static_cast<unsigned long long>(usage.files), toMiB(usage.bytes));
  if (!clear)
    std::printf(" of at most %llu MiB",
                static_cast<unsigned long long>(config().number(Option::CacheSize)));
  std::printf("\n");
}

} // namespace

void addCache(CLI::App& app) {
  CLI::App* cache = app.add_subcommand(
      "cache", "Print where the cache of compiled programs is and how much it holds.");
  auto clear = std::make_shared<bool>(false);
  cache->add_flag("--clear", *clear, "Delete every cached program.");
  cache->callback([clear] { showOrClear(*clear); });
}

} // namespace quern::tool

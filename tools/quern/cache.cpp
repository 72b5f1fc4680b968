#include <cstdint>
#include <cstdio>

#include "base/config.h"
#include "commands.h"
#include "runtime/cache_folder.h"

namespace quern::tool {

namespace {

runtime::CacheFolder openCache() {
  runtime::CacheFolder folder(runtime::configuredCacheFolder());
  if (folder.path().empty())
    throw Failure("there is no program cache: QUERN_CACHE is off, or neither QUERN_CACHE_DIR, "
                  "XDG_CACHE_HOME nor HOME names a folder");
  return folder;
}

double toMiB(uint64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

void printUsage() {
  const runtime::CacheFolder folder = openCache();
  const runtime::CacheFolder::Usage usage = folder.usage();
  std::printf("%s: %llu programs, %.1f MiB of at most %llu MiB\n", folder.path().c_str(),
              static_cast<unsigned long long>(usage.files), toMiB(usage.bytes),
              static_cast<unsigned long long>(config().number(Option::CacheSize)));
}

void clear() {
  const runtime::CacheFolder folder = openCache();
  const runtime::CacheFolder::Usage cleared = folder.clear();
  std::printf("%s: deleted %llu programs, %.1f MiB\n", folder.path().c_str(),
              static_cast<unsigned long long>(cleared.files), toMiB(cleared.bytes));
}

} // namespace

void addCache(CLI::App& app) {
  CLI::App* cache = app.add_subcommand("cache", "Show or clear the cache of compiled programs.");
  cache->require_subcommand(1);
  cache->add_subcommand("size", "Print where the cache is and how much it holds.")
      ->callback(printUsage);
  cache->add_subcommand("clear", "Delete every cached program.")->callback(clear);
}

} // namespace quern::tool

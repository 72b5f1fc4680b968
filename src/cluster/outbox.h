#pragma once

#include "base/fields.h"
#include "base/mutex_protected.h"
#include "cluster/link.h"
#include "cluster/records.h"

namespace quern::cluster {

/// Records to one process, which go together. Thread-safe.
class Outbox {
public:
  Outbox(Link& link, int to) : link_(link), to_(to) {}

  /// Returns how many bytes wait for `flush`.
  template <typename Record> size_t add(const Record& record) {
    return records_.with([&](FieldWriter& records) {
      write(records, record);
      return records.size();
    });
  }
  /// Sends what there is.
  void flush() {
    records_.with([&](FieldWriter& records) {
      if (records.size() != 0)
        link_.send(to_, records.take());
    });
  }
  template <typename Record> void send(const Record& record) {
    add(record);
    flush();
  }

private:
  Link& link_;
  const int to_;
  MutexProtected<FieldWriter> records_;
};

} // namespace quern::cluster

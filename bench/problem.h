// The table of what is measured. A family is one computation over several sizes; a problem is a
// family at one size: its input, the host's version of it, and the kernels that compute it.
#pragma once

#include "target.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace quern::bench {

/// The work of one run, which turns a time into a rate and a share of the machine's limits.
struct Work {
  double flops = 0; ///< floating-point operations; a function such as exp counts as one
  double bytes = 0; ///< bytes that must be read or written at least
  double footprint =
      0; ///< bytes of memory that a run touches; decides which cache level's bandwidth is the limit
  double items = 0;   ///< what the rate counts, in `unit`
  std::string unit;   ///< "FLOP", "B", "pair", ...
  double repeats = 1; ///< how often a run does the same; the reported time is that of one
};

/// A result that is one to look at: rows of numbers, from the top.
struct Picture {
  size_t columns = 0, rows = 0;
  size_t channels = 1;       ///< numbers of each element
  std::string type;          ///< of a number, as numpy calls it: "float32", "int32", "uint8"
  std::vector<char> numbers; ///< in the machine's byte order
};
template <typename T>
Picture makePicture(size_t columns, size_t channels, const char* type, const std::vector<T>& all) {
  const char* first = reinterpret_cast<const char*>(all.data());
  return {columns, all.size() / columns / channels, channels, type,
          std::vector<char>(first, first + all.size() * sizeof(T))};
}

/// Every k-th element of every k-th row, so that neither side has more than `most`.
Picture thinned(const Picture& picture, size_t most);

/// A kernel, or a way to use one, ready to run on one target.
struct Variant {
  std::function<void()> run =
      {}; ///< one run, with all its commands finished; each has the same result
  /// Compares all outputs of the last run: empty if they are right, else what is wrong.
  std::function<std::string()> check = {};
  /// What a run writes in full, and `check` compares in full.
  std::vector<Output> outputs = {};
  /// What a run writes before it reads it.
  std::vector<Output> intermediate = {};
  /// Makes of spoiled outputs what a run needs to find in them, where it reads them too.
  std::function<void()> restore = {};
  /// The last run's result as a picture. Empty where it is none.
  std::function<Picture()> picture = {};
};

/// Spoils all that an earlier run of the variant has left, so that a run that leaves something out
/// cannot pass its check.
void spoilResults(Target& target, const Variant& variant);

/// Thrown by Problem::prepare for a target that has no such thing to measure.
struct NotOffered {};

class Problem {
public:
  virtual ~Problem() = default;
  /// The work of one run, of all its repeats together.
  virtual Work work() const = 0;
  /// False where the host has nothing to compare with, such as building a program.
  virtual bool hasHost() const { return true; }
  /// Computes the result on the host, with threads. It is the result that variants are checked
  /// against.
  virtual void runHost() = 0;
  virtual std::vector<std::string> variantNames() const = 0;
  /// One of the variants, with buffers of its own. It refers to the problem and the target, which
  /// must outlive it. Throws cl::Error where the target cannot run it, or NotOffered.
  virtual Variant prepare(Target& target, const std::string& variantName) const = 0;
};

using Size = std::vector<size_t>;

struct Family {
  std::string name;
  std::vector<Size> sizes;
  std::vector<Size> quickSizes;
  std::function<std::unique_ptr<Problem>(const Size&)> make;
  /// Whether the time from source to results is of interest: not of what measures a part of it, or
  /// has the kernels of another family.
  bool timesSolution = true;
};

/// All families, in the order of the report.
const std::vector<Family>& families();

/// "200x400x300", for reports.
std::string describe(const Size& size);

} // namespace quern::bench

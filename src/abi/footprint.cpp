#include "abi/footprint.h"

#include <algorithm>
#include <iterator>

#include "abi/program_image.h"
#include "base/parse_number.h"
#include "base/sentence.h"

namespace quern::abi {

namespace {

using enum FootprintOperation;

struct OperationRow {
  std::string_view name;
  uint8_t pops; ///< ranges that it takes; all but `Drop` push one
  bool hasValue;
};

constexpr OperationRow operations[] = {
    {"any", 0, false},      {"const", 0, true},     {"arg", 0, true},        {"group", 0, true},
    {"size", 0, true},      {"first", 0, true},     {"item", 0, true},       {"offset", 0, true},
    {"global", 0, true},    {"local", 0, true},     {"groups", 0, true},     {"dim", 0, false},
    {"up-to", 1, false},    {"trunc", 1, false},    {"zext", 1, true},       {"add", 2, false},
    {"sub", 2, false},      {"mul", 2, false},      {"udiv", 2, false},      {"sdiv", 2, false},
    {"urem", 2, false},     {"srem", 2, false},     {"and", 2, false},       {"shl", 2, false},
    {"lshr", 2, false},     {"ashr", 2, false},     {"smin", 2, false},      {"smax", 2, false},
    {"umin", 2, false},     {"umax", 2, false},     {"either", 2, false},    {"at-most", 2, false},
    {"at-least", 2, false}, {"uat-most", 2, false}, {"uat-least", 2, false}, {"drop", 1, false},
};
static_assert(std::size(operations) == static_cast<size_t>(Count));

constexpr std::string_view ties[] = {"none",     "unknown", "atomic", "volatile",
                                     "variable", "pointer", "call"};
static_assert(std::size(ties) == static_cast<size_t>(FootprintTie::Count));

const OperationRow& rowOf(FootprintOperation operation) {
  return operations[static_cast<size_t>(operation)];
}

bool isOfDimension(FootprintOperation operation) {
  return operation >= Group && operation <= GroupCount;
}

bool namesArgument(const FootprintStep& step, const KernelDescription& kernel) {
  const auto index = static_cast<uint64_t>(step.value) & 0xffff;
  const auto byte = static_cast<uint64_t>(step.value) >> 16;
  return step.bits % 8 == 0 && index < kernel.arguments.size() &&
         kernel.arguments[index].kind == ArgumentKind::Value &&
         byte <= kernel.arguments[index].bytes &&
         step.bits / 8 <= kernel.arguments[index].bytes - byte;
}

bool isConsistent(const FootprintAccess& access, const KernelDescription& kernel) {
  if (access.argument >= kernel.arguments.size())
    return false;
  const ArgumentKind kind = kernel.arguments[access.argument].kind;
  const bool isBuffer = kind == ArgumentKind::Global || kind == ArgumentKind::Constant;
  if (!isBuffer)
    return (kind == ArgumentKind::Image || kind == ArgumentKind::Pipe) && access.offset.empty();
  size_t depth = 0;
  for (const FootprintStep& step : access.offset) {
    if (step.operation >= Count || step.bits == 0 || step.bits > 64 ||
        depth < rowOf(step.operation).pops)
      return false;
    if ((isOfDimension(step.operation) && (step.value < 0 || step.value > 2)) ||
        (step.operation == ZeroExtend && (step.value < 1 || step.value > 64)) ||
        (step.operation == Argument && !namesArgument(step, kernel)))
      return false;
    depth += (step.operation == Drop ? 0 : 1) - rowOf(step.operation).pops;
    if (depth > footprintStack)
      return false;
  }
  return depth == 1;
}

/// The words of a line, one after the other.
class Words {
public:
  explicit Words(std::string_view text) : rest_(text) {}

  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(word.size());
    return word;
  }

private:
  std::string_view rest_;
};

void append(std::string& text, const FootprintStep& step) {
  text += sentence(" ", rowOf(step.operation).name);
  if (rowOf(step.operation).hasValue)
    text += sentence(".", step.value);
  if (step.bits != 64)
    text += sentence("/", static_cast<unsigned>(step.bits));
}

std::optional<FootprintStep> parseStep(std::string_view word) {
  FootprintStep step;
  if (const size_t slash = word.find('/'); slash != word.npos) {
    if (!parseNumber(word.substr(slash + 1), step.bits))
      return std::nullopt;
    word = word.substr(0, slash);
  }
  const size_t point = word.find('.');
  if (point != word.npos && !parseNumber(word.substr(point + 1), step.value))
    return std::nullopt;
  const auto* const row = std::ranges::find(operations, word.substr(0, point), &OperationRow::name);
  if (row == std::end(operations) || row->hasValue != (point != word.npos))
    return std::nullopt;
  step.operation = static_cast<FootprintOperation>(row - operations);
  return step;
}

std::optional<FootprintAccess> parseAccess(std::string_view text) {
  FootprintAccess access;
  Words words(text);
  const std::string_view kind = words.next();
  access.reads = kind == "read" || kind == "update";
  access.writes = kind == "write" || kind == "update";
  if ((!access.reads && !access.writes) || !parseNumber(words.next(), access.argument) ||
      !parseNumber(words.next(), access.bytes))
    return std::nullopt;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const std::optional<FootprintStep> step = parseStep(word);
    if (!step)
      return std::nullopt;
    access.offset.push_back(*step);
  }
  return access;
}

} // namespace

bool isConsistent(const Footprint& footprint, const KernelDescription& kernel) {
  size_t steps = 0;
  for (const FootprintAccess& access : footprint.accesses) {
    steps += access.offset.size();
    if (!isConsistent(access, kernel))
      return false;
  }
  return footprint.tie < FootprintTie::Count && steps <= mostFootprintSteps;
}

std::string print(const Footprint& footprint) {
  std::string text(ties[static_cast<size_t>(footprint.tie)]);
  for (const FootprintAccess& access : footprint.accesses) {
    const std::string_view kind = !access.writes ? "read" : access.reads ? "update" : "write";
    text += sentence("; ", kind, " ", access.argument, " ", access.bytes);
    for (const FootprintStep& step : access.offset)
      append(text, step);
  }
  return text;
}

std::optional<Footprint> parseFootprint(std::string_view text) {
  Footprint footprint;
  size_t end = text.find(';');
  const auto* const tie = std::ranges::find(ties, text.substr(0, end));
  if (tie == std::end(ties))
    return std::nullopt;
  footprint.tie = static_cast<FootprintTie>(tie - ties);
  while (end != text.npos) {
    text.remove_prefix(end + 1);
    end = text.find(';');
    std::optional<FootprintAccess> access = parseAccess(text.substr(0, end));
    if (!access)
      return std::nullopt;
    footprint.accesses.push_back(*std::move(access));
  }
  return footprint;
}

std::string_view describe(FootprintTie tie) {
  switch (tie) {
  case FootprintTie::None:
    return "nothing";
  case FootprintTie::Atomic:
    return "atomic operations on global memory";
  case FootprintTie::Volatile:
    return "volatile accesses to global memory";
  case FootprintTie::Variable:
    return "variables of the program";
  case FootprintTie::Pointer:
    return "pointers that are none of its arguments";
  case FootprintTie::Call:
    return "calls of functions that may do anything";
  case FootprintTie::Unknown:
  case FootprintTie::Count:
    break;
  }
  return "code of which nothing is known";
}

} // namespace quern::abi

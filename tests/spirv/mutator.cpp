#include "mutator.h"

#include <algorithm>
#include <array>
#include <map>

namespace quern::test {
namespace {

constexpr uint32_t magic = 0x07230203;
constexpr unsigned wordCountShift = 16;
constexpr size_t mostWords = 0xFFFF; ///< of an instruction
/// Of core instructions; those of extensions lie far apart above.
constexpr uint32_t coreNumbers = 512;

/// Letters of instructions.def that come together, and what says how often: `?`, `*` or a space.
struct OperandGroup {
  std::string_view kinds;
  char count = ' ';
};

std::vector<OperandGroup> groupsOf(std::string_view operands) {
  std::vector<OperandGroup> groups;
  while (!operands.empty()) {
    const bool isGroup = operands[0] == '(';
    const size_t length = isGroup ? operands.find(')') + 1 : 1;
    OperandGroup group{isGroup ? operands.substr(1, length - 2) : operands.substr(0, 1)};
    operands.remove_prefix(length);
    if (!operands.empty() && (operands[0] == '*' || operands[0] == '?')) {
      group.count = operands[0];
      operands.remove_prefix(1);
    }
    groups.push_back(group);
  }
  return groups;
}

/// A letter for each of the `words` words of operands that an instruction of `row` has.
std::vector<char> kindsOf(const spirv::InstructionRow& row, std::span<const uint32_t> words) {
  std::vector<char> kinds;
  for (const OperandGroup& group : groupsOf(row.operands))
    do {
      for (const char kind : group.kinds) {
        if (kinds.size() >= words.size())
          break;
        const size_t count = kind == 'S' ? spirv::stringWords(words, kinds.size()) : 1;
        kinds.insert(kinds.end(), std::min(count, words.size() - kinds.size()), kind);
      }
    } while (group.count == '*' && kinds.size() < words.size());
  kinds.resize(words.size(), 'L');
  return kinds;
}

/// The rows of the table, for instructions that are made up.
const std::vector<const spirv::InstructionRow*>& allRows() {
  static const std::vector<const spirv::InstructionRow*> rows = [] {
    std::vector<const spirv::InstructionRow*> found;
    for (uint32_t number = 0; number <= mostWords; ++number)
      if (const spirv::InstructionRow* row = spirv::findInstruction(number))
        found.push_back(row);
    return found;
  }();
  return rows;
}

bool isType(const spirv::InstructionRow* row) {
  return row && row->name.starts_with("Type");
}

} // namespace

SpirvMutator::SpirvMutator(const spirv::Module& module, unsigned seed)
    : random_(seed), version_(module.version()), bound_(module.bound()), lines_(linesOf(module)) {}

std::vector<SpirvMutator::Line> SpirvMutator::linesOf(const spirv::Module& module) {
  std::vector<Line> lines;
  for (const spirv::Instruction& instruction : module.instructions()) {
    const uint32_t first = module.words()[instruction.offset];
    const std::span<const uint32_t> words =
        module.words().subspan(instruction.offset + 1, (first >> wordCountShift) - 1);
    Line line;
    line.number = first & mostWords;
    line.row = spirv::findInstruction(line.number);
    line.words.assign(words.begin(), words.end());
    line.kinds = line.row ? kindsOf(*line.row, words) : std::vector<char>(words.size(), 'L');
    lines.push_back(std::move(line));
  }
  return lines;
}

uint32_t SpirvMutator::resultOf(const Line& line) {
  const auto found = std::ranges::find(line.kinds, 'R');
  return found == line.kinds.end() ? 0 : line.words[found - line.kinds.begin()];
}

std::vector<uint32_t> SpirvMutator::words() const {
  std::vector<uint32_t> words = {magic, version_, 0, bound_, 0};
  for (const Line& line : lines_) {
    words.push_back(static_cast<uint32_t>(line.words.size() + 1) << wordCountShift | line.number);
    words.insert(words.end(), line.words.begin(), line.words.end());
  }
  return words;
}

void SpirvMutator::mutate() {
  constexpr std::array changes = {
      &SpirvMutator::nameAnotherId, &SpirvMutator::nameAnotherId, &SpirvMutator::nameAnotherId,
      &SpirvMutator::changeLiteral, &SpirvMutator::changeLiteral, &SpirvMutator::changeNumber,
      &SpirvMutator::changeNumber,  &SpirvMutator::erase,         &SpirvMutator::repeat,
      &SpirvMutator::move,          &SpirvMutator::insert,        &SpirvMutator::insert};
  do {
    if (lines_.empty())
      insert();
    else
      (this->*changes[below(changes.size())])();
  } while (oneIn(3));
}

void SpirvMutator::crossOver(const spirv::Module& other) {
  std::vector<Line> donors = linesOf(other);
  if (donors.empty())
    return;
  const size_t first = below(donors.size());
  constexpr size_t mostTaken = 12;
  const size_t count = 1 + below(std::min(mostTaken, donors.size() - first));
  const std::span<Line> taken = std::span(donors).subspan(first, count);
  const uint32_t own = bound_;
  renameResults(taken);
  for (Line& line : taken)
    for (size_t i = 0; i < line.words.size(); ++i) {
      // What was not taken over is something else here.
      const bool isTaken = line.words[i] >= own && line.words[i] < bound_;
      if (line.kinds[i] == 'T' && !isTaken)
        line.words[i] = anyType();
      else if (line.kinds[i] == 'I' && !isTaken)
        line.words[i] = anyId();
    }
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(anyLine()), taken.begin(),
                taken.end());
}

std::optional<size_t> SpirvMutator::anyOperand(const Line& line, std::string_view kinds) {
  std::vector<size_t> places;
  for (size_t i = 0; i < line.kinds.size(); ++i)
    if (kinds.find(line.kinds[i]) != std::string_view::npos)
      places.push_back(i);
  return places.empty() ? std::nullopt : std::optional(places[below(places.size())]);
}

void SpirvMutator::nameAnotherId() {
  Line& line = lines_[anyLine()];
  const std::optional<size_t> place = anyOperand(line, "IT");
  if (!place)
    return;
  uint32_t& id = line.words[*place];
  if (oneIn(2))
    id = idLike(id);
  else
    id = line.kinds[*place] == 'T' ? anyType() : anyId();
}

void SpirvMutator::changeLiteral() {
  Line& line = lines_[anyLine()];
  if (const std::optional<size_t> place = anyOperand(line, "LS"))
    line.words[*place] = anyLiteral(line.words[*place]);
}

void SpirvMutator::changeNumber() {
  Line& line = lines_[anyLine()];
  if (!line.row)
    return;
  std::vector<const spirv::InstructionRow*> like;
  for (const spirv::InstructionRow* row : allRows())
    if (row->operands == line.row->operands)
      like.push_back(row);
  line.row = like[below(like.size())];
  line.number = static_cast<uint32_t>(line.row->op);
}

void SpirvMutator::erase() {
  lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(anyLine()));
}

void SpirvMutator::repeat() {
  const size_t first = anyLine();
  constexpr size_t mostRepeated = 8;
  const size_t count = 1 + below(std::min(mostRepeated, lines_.size() - first));
  const auto begin = lines_.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<Line> copies(begin, begin + static_cast<std::ptrdiff_t>(count));
  renameResults(copies);
  const size_t place = oneIn(2) ? first + count : anyLine();
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(place), copies.begin(), copies.end());
}

void SpirvMutator::move() {
  const size_t from = anyLine();
  Line line = std::move(lines_[from]);
  lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(from));
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(below(lines_.size() + 1)),
                std::move(line));
}

void SpirvMutator::insert() {
  Line line;
  line.row = allRows()[below(allRows().size())];
  if (oneIn(2)) // mostly one of the core
    while (static_cast<uint32_t>(line.row->op) >= coreNumbers)
      line.row = allRows()[below(allRows().size())];
  line.number = static_cast<uint32_t>(line.row->op);
  for (const OperandGroup& group : groupsOf(line.row->operands)) {
    if (group.count == '?' && oneIn(2))
      break;
    constexpr size_t mostRepetitions = 4;
    const size_t repetitions = group.count == '*' ? below(mostRepetitions + 1) : 1;
    for (size_t repetition = 0; repetition < repetitions; ++repetition)
      for (const char kind : group.kinds)
        appendOperand(line, kind);
  }
  const size_t place = anyLine();
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(place), std::move(line));
}

void SpirvMutator::appendOperand(Line& line, char kind) {
  switch (kind) {
  case 'T':
    line.words.push_back(anyType());
    break;
  case 'R':
    line.words.push_back(bound_++);
    break;
  case 'I':
    line.words.push_back(anyId());
    break;
  case 'S':
    line.words.push_back(anyLiteral(0) & 0xFFFFFF); // the last byte ends it
    break;
  default:
    line.words.push_back(anyLiteral(0));
    break;
  }
  line.kinds.push_back(kind);
}

size_t SpirvMutator::anyLine() {
  const auto isFunction = [](const Line& line) {
    return line.number == static_cast<uint32_t>(spirv::Op::Function);
  };
  if (lines_.empty())
    return 0;
  const size_t functions = std::ranges::find_if(lines_, isFunction) - lines_.begin();
  if (functions == lines_.size() || oneIn(4))
    return below(lines_.size());
  return functions + below(lines_.size() - functions);
}

uint32_t SpirvMutator::anyId() {
  if (bound_ <= 1)
    return 1;
  return 1 + static_cast<uint32_t>(below(bound_ - 1));
}

uint32_t SpirvMutator::anyType() {
  std::vector<uint32_t> types;
  for (const Line& line : lines_)
    if (isType(line.row))
      types.push_back(resultOf(line));
  return types.empty() || oneIn(20) ? anyId() : types[below(types.size())];
}

uint32_t SpirvMutator::idLike(uint32_t id) {
  const auto definition =
      std::ranges::find_if(lines_, [&](const Line& line) { return resultOf(line) == id; });
  if (definition == lines_.end())
    return anyId();
  std::vector<uint32_t> like;
  for (const Line& line : lines_)
    if (line.number == definition->number && resultOf(line) != id)
      like.push_back(resultOf(line));
  return like.empty() ? anyId() : like[below(like.size())];
}

uint32_t SpirvMutator::anyLiteral(uint32_t former) {
  constexpr uint32_t small = 33;
  constexpr uint32_t thousands = 8192;
  switch (below(6)) {
  case 0:
    return static_cast<uint32_t>(below(small));
  case 1:
    return static_cast<uint32_t>(below(thousands));
  case 2:
    return former + 1;
  case 3:
    return former - 1;
  case 4:
    return former ^ uint32_t{1} << below(32);
  default:
    return static_cast<uint32_t>(random_());
  }
}

void SpirvMutator::renameResults(std::span<Line> lines) {
  std::map<uint32_t, uint32_t> renamed;
  for (Line& line : lines)
    for (size_t i = 0; i < line.words.size(); ++i)
      if (line.kinds[i] == 'R') {
        renamed[line.words[i]] = bound_;
        line.words[i] = bound_++;
      }
  for (Line& line : lines)
    for (size_t i = 0; i < line.words.size(); ++i)
      if (line.kinds[i] == 'I' || line.kinds[i] == 'T')
        if (const auto found = renamed.find(line.words[i]); found != renamed.end())
          line.words[i] = found->second;
}

} // namespace quern::test

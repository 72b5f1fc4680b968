#include "spirv/module.h"

#include <bit>
#include <cstring>

#include "base/sentence.h"

namespace quern::spirv {

namespace {

constexpr uint32_t magic = 0x07230203;
constexpr size_t headerWords = 5;
constexpr unsigned wordCountShift = 16;
/// SPIR-V 1.6, 2.17 "Universal Limits".
constexpr uint32_t largestBound = 0x3FFFFF + 1;

Status invalid(size_t word, std::string_view rule) {
  return Status::error(CL_INVALID_VALUE, sentence("SPIR-V, word ", word, ": ", rule));
}

/// The words of one instruction, held against its row of the table.
class OperandReader {
public:
  OperandReader(const InstructionRow& row, std::span<const uint32_t> words, uint32_t offset,
                uint32_t bound)
      : row_(row), words_(words), bound_(bound) {
    instruction_.op = row.op;
    instruction_.offset = offset;
  }

  Status read() {
    size_t first = 1;
    for (size_t i = 0; i < row_.operands.size(); ++i) {
      const char kind = row_.operands[i];
      const size_t end = kind == '(' ? row_.operands.find(')', i) : i;
      const char count = end + 1 < row_.operands.size() ? row_.operands[end + 1] : ' ';
      const std::string_view group =
          kind == '(' ? row_.operands.substr(i + 1, end - i - 1) : row_.operands.substr(i, 1);
      if (count == '*') {
        while (place_ < words_.size())
          QUERN_TRY(readGroup(group));
      } else if (count != '?' || place_ < words_.size()) {
        QUERN_TRY(readGroup(group));
      }
      i = count == '*' || count == '?' ? end + 1 : end;
      if (kind == 'T' || kind == 'R')
        first = place_;
    }
    if (place_ < words_.size())
      return failure(sentence("has ", words_.size(), " words but only ", place_, " are its own"));
    instruction_.operands = words_.subspan(first);
    return {};
  }

  const Instruction& instruction() const { return instruction_; }

private:
  Status readGroup(std::string_view kinds) {
    for (const char kind : kinds) {
      if (place_ >= words_.size())
        return failure(sentence("ends after ", words_.size(), " words, before all its operands"));
      QUERN_TRY(readOperand(kind));
    }
    return {};
  }

  Status readOperand(char kind) {
    if (kind == 'S') {
      const std::span<const uint32_t> rest = words_.subspan(place_);
      if (stringAt(rest, 0).size() == rest.size() * sizeof(uint32_t))
        return failure("has a string that is not terminated");
      place_ += stringWords(rest, 0);
      return {};
    }
    const uint32_t word = words_[place_++];
    if (kind == 'L')
      return {};
    if (word == 0 || word >= bound_)
      return failure(sentence("names the id ", word, ", which must be between 1 and ", bound_ - 1));
    if (kind == 'T')
      instruction_.type = word;
    else if (kind == 'R')
      instruction_.result = word;
    return {};
  }

  Status failure(std::string_view rule) const {
    return invalid(instruction_.offset, sentence("Op", row_.name, " ", rule));
  }

  const InstructionRow& row_;
  const std::span<const uint32_t> words_;
  const uint32_t bound_;
  size_t place_ = 1;
  Instruction instruction_;
};

} // namespace

Result<Module> Module::parse(std::span<const std::byte> bytes) {
  Module module;
  if (bytes.size() % sizeof(uint32_t) != 0)
    return Status::error(CL_INVALID_VALUE, sentence("a SPIR-V module of ", bytes.size(),
                                                    " bytes is no sequence of words"));
  module.words_.resize(bytes.size() / sizeof(uint32_t));
  if (!bytes.empty())
    std::memcpy(module.words_.data(), bytes.data(), bytes.size());
  QUERN_TRY(module.readHeader());
  QUERN_TRY(module.readInstructions());
  return module;
}

Status Module::readHeader() {
  if (words_.size() < headerWords)
    return invalid(0, sentence("a module begins with ", headerWords, " words; there are only ",
                               words_.size()));
  if (words_[0] == __builtin_bswap32(magic))
    for (uint32_t& word : words_)
      word = __builtin_bswap32(word);
  if (words_[0] != magic)
    return invalid(0, "the magic number is not that of SPIR-V");
  if (version() < oldestVersion || version() > newestVersion || (version() & 0xFF) != 0)
    return invalid(1, sentence("version ", version() >> 16, ".", version() >> 8 & 0xFF,
                               " is not read: it must be between 1.0 and 1.6"));
  if (bound() == 0 || bound() > largestBound)
    return invalid(
        3, sentence("the bound of ids is ", bound(), ": it must be between 1 and ", largestBound));
  if (words_[4] != 0)
    return invalid(4, "the schema must be 0");
  return {};
}

Status Module::readInstructions() {
  std::vector<bool> isDefined(bound(), false);
  constexpr size_t usualWords = 4; // of an instruction
  instructions_.reserve(words_.size() / usualWords);
  for (size_t place = headerWords; place < words_.size();) {
    const uint32_t number = words_[place] & 0xFFFF;
    const size_t count = words_[place] >> wordCountShift;
    if (count == 0 || count > words_.size() - place)
      return invalid(place, sentence("an instruction of ", count, " words, where ",
                                     words_.size() - place, " are left"));
    const std::span<const uint32_t> words = std::span<const uint32_t>(words_).subspan(place, count);
    const InstructionRow* row = findInstruction(number);
    if (!row) {
      instructions_.push_back({.op = static_cast<Op>(number),
                               .offset = static_cast<uint32_t>(place),
                               .operands = words.subspan(1)});
      place += count;
      continue;
    }
    OperandReader reader(*row, words, static_cast<uint32_t>(place), bound());
    QUERN_TRY(reader.read());
    const uint32_t result = reader.instruction().result;
    if (result != 0 && isDefined[result])
      return invalid(place, sentence("Op", row->name, " defines the id ", result, " again"));
    if (result != 0)
      isDefined[result] = true;
    instructions_.push_back(reader.instruction());
    place += count;
  }
  return {};
}

} // namespace quern::spirv

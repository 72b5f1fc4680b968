#include "runtime/build_options.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/config.h"
#include "base/sentence.h"

namespace quern::runtime {

namespace {

using compiler::LanguageStandard;
using compiler::Options;

constexpr unsigned atCompile = 1;
constexpr unsigned atLink = 2;
constexpr unsigned always = atCompile | atLink;

struct Flag {
  std::string_view text;
  unsigned steps;
  bool Options::* field;
};

constexpr Flag flags[] = {
    {"-cl-single-precision-constant", atCompile, &Options::singlePrecisionConstant},
    {"-cl-denorms-are-zero", always, &Options::denormsAreZero},
    {"-cl-fp32-correctly-rounded-divide-sqrt", atCompile, &Options::correctlyRoundedDivideSqrt},
    {"-cl-opt-disable", always, &Options::optDisable},
    {"-cl-strict-aliasing", atCompile, &Options::strictAliasing},
    {"-cl-uniform-work-group-size", atCompile, &Options::uniformWorkGroupSize},
    {"-cl-no-subgroup-ifp", always, &Options::noSubgroupIfp},
    {"-cl-mad-enable", always, &Options::madEnable},
    {"-cl-no-signed-zeros", always, &Options::noSignedZeros},
    {"-cl-unsafe-math-optimizations", always, &Options::unsafeMathOptimizations},
    {"-cl-finite-math-only", always, &Options::finiteMathOnly},
    {"-cl-fast-relaxed-math", always, &Options::fastRelaxedMath},
    {"-cl-kernel-arg-info", atCompile, &Options::kernelArgInfo},
    {"-w", atCompile, &Options::disableWarnings},
    {"-Werror", atCompile, &Options::warningsAreErrors},
    {"-g", always, &Options::debugInfo},
    {"-create-library", atLink, &Options::createLibrary},
    {"-enable-link-options", atLink, &Options::enableLinkOptions},
};

struct Standard {
  std::string_view name;
  LanguageStandard standard;
};

constexpr std::string_view standardOption = "-cl-std=";

// A standard's first name is the one that standardName returns.
constexpr Standard standards[] = {
    {"CL1.0", LanguageStandard::CL10},       {"CL1.1", LanguageStandard::CL11},
    {"CL1.2", LanguageStandard::CL12},       {"CL2.0", LanguageStandard::CL20},
    {"CL3.0", LanguageStandard::CL30},       {"CL3.1", LanguageStandard::CL31},
    {"CLC++1.0", LanguageStandard::CLCpp10}, {"CLC++2021", LanguageStandard::CLCpp2021},
    {"CLC++", LanguageStandard::CLCpp10},
};

constexpr std::string_view whiteSpace = " \t\n\v\f\r";

bool isSpace(char c) {
  return whiteSpace.find(c) != std::string_view::npos;
}

cl_int errorCode(BuildStep step) {
  switch (step) {
  case BuildStep::Build:
    return CL_INVALID_BUILD_OPTIONS;
  case BuildStep::Compile:
    return CL_INVALID_COMPILER_OPTIONS;
  case BuildStep::Link:
    break;
  }
  return CL_INVALID_LINKER_OPTIONS;
}

std::string_view callName(BuildStep step) {
  switch (step) {
  case BuildStep::Build:
    return "clBuildProgram";
  case BuildStep::Compile:
    return "clCompileProgram";
  case BuildStep::Link:
    break;
  }
  return "clLinkProgram";
}

unsigned stepBit(BuildStep step) {
  return step == BuildStep::Link ? atLink : atCompile;
}

Result<std::vector<std::string>> splitIntoWords(std::string_view text, BuildStep step) {
  std::vector<std::string> words;
  bool inWord = false, inQuotes = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!inQuotes && isSpace(text[i])) {
      inWord = false;
      continue;
    }
    if (!inWord)
      words.emplace_back();
    inWord = true;
    if (text[i] == '"') {
      inQuotes = !inQuotes;
    } else {
      const bool escapedQuote = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '"';
      words.back() += text[escapedQuote ? ++i : i];
    }
  }
  if (inQuotes)
    return Status::error(errorCode(step),
                         sentence("the options '", text, "' lack a closing double quote"));
  return words;
}

bool isIdentifierStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isIdentifierPart(char c) {
  return isIdentifierStart(c) || (c >= '0' && c <= '9');
}

/// An identifier, or one with a parameter list: F(a, b).
bool isMacroName(std::string_view name) {
  if (name.empty() || !isIdentifierStart(name[0]))
    return false;
  size_t end = 1;
  while (end < name.size() && isIdentifierPart(name[end]))
    ++end;
  if (end == name.size())
    return true;
  if (name[end] != '(' || name.back() != ')')
    return false;
  for (char c : name.substr(end + 1, name.size() - end - 2))
    if (!isIdentifierPart(c) && c != ',' && c != '.' && c != ' ')
      return false;
  return true;
}

/// Which options are dropped instead of being an error: those that other calls know, or all that
/// have no meaning to this one.
enum class Ignored { None, OfOtherSteps, Unknown };

/// Walks over the words of one option string.
class Parser {
public:
  Parser(Options& options, BuildStep step, Ignored ignored)
      : options_(options), step_(step), ignoresOtherSteps_(ignored != Ignored::None),
        ignoresUnknown_(ignored == Ignored::Unknown) {}

  Status parse(std::span<const std::string> words) {
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      const bool isDefine = word.starts_with("-D"), isInclude = word.starts_with("-I");
      if (!isDefine && !isInclude) {
        QUERN_TRY(parsePlain(word));
        continue;
      }
      std::string value = word.substr(2);
      if (value.empty() && ++i < words.size())
        value = words[i];
      if (value.empty())
        return error(
            sentence(word, isDefine ? " needs a macro name after it" : " needs a folder after it"));
      if (step_ == BuildStep::Link) {
        if (!ignoresOtherSteps_)
          return error(sentence("'", word, "' has no meaning to the linker"));
        continue;
      }
      if (isDefine)
        QUERN_TRY(addDefine(value));
      else
        options_.includeFolders.push_back(value);
    }
    return {};
  }

private:
  Status error(const std::string& text) const {
    return Status::error(errorCode(step_),
                         sentence("the options of ", callName(step_), " are not valid: ", text));
  }

  Status parsePlain(const std::string& word) {
    for (const Flag& flag : flags)
      if (word == flag.text)
        return setFlag(flag);
    if (word.starts_with(standardOption))
      return setStandard(word.substr(standardOption.size()));
    if (ignoresUnknown_)
      return {};
    if (word == "-cl-std")
      return error("-cl-std needs a version after it, for example -cl-std=CL3.1");
    return error(sentence("'", word, "' is not an option that Quern knows"));
  }

  Status setFlag(const Flag& flag) {
    if (flag.steps & stepBit(step_))
      options_.*flag.field = true;
    else if (!ignoresOtherSteps_)
      return error(sentence("'", flag.text, "' is an option of ",
                            step_ == BuildStep::Link ? "the compiler, not of the linker"
                                                     : "the linker, not of the compiler"));
    return {};
  }

  Status setStandard(const std::string& name) {
    for (const Standard& row : standards)
      if (name == row.name) {
        if (step_ != BuildStep::Link)
          options_.standard = row.standard;
        else if (!ignoresOtherSteps_)
          return error("'-cl-std' is an option of the compiler, not of the linker");
        return {};
      }
    if (ignoresUnknown_)
      return {};
    return error(sentence(
        "-cl-std=", name,
        " is not one of CL1.0, CL1.1, CL1.2, CL2.0, CL3.0, CL3.1, CLC++, CLC++1.0 and CLC++2021"));
  }

  Status addDefine(const std::string& text) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (!isMacroName(name))
      return error(sentence("'-D ", text, "' does not define a macro: '", name, "' is not a name"));
    std::string value = equals == std::string::npos ? "1" : text.substr(equals + 1);
    // A definition ends at a line break (5.8.6.1 "Preprocessor Options").
    value.resize(std::min(value.find_first_of("\n\r"), value.size()));
    options_.defines.emplace_back(name, std::move(value));
    return {};
  }

  Options& options_;
  const BuildStep step_;
  const bool ignoresOtherSteps_;
  const bool ignoresUnknown_;
};

void setImplied(Options& options) {
  if (options.fastRelaxedMath)
    options.finiteMathOnly = options.unsafeMathOptimizations = true;
  if (options.unsafeMathOptimizations)
    options.noSignedZeros = options.madEnable = options.denormsAreZero = true;
}

Status parseInto(Options& options, std::string_view text, BuildStep step, Ignored ignored) {
  QUERN_ASSIGN(const std::vector<std::string> words, splitIntoWords(text, step));
  return Parser(options, step, ignored).parse(words);
}

Status finish(Options& options, BuildStep step) {
  if (options.enableLinkOptions && !options.createLibrary)
    return Status::error(
        errorCode(step),
        "the option -enable-link-options is only allowed together with -create-library");
  setImplied(options);
  return {};
}

Status addConfiguredOptions(Options& options, BuildStep step) {
  const std::string& configured = config().get(Option::BuildOptions);
  if (Status status = parseInto(options, configured, step, Ignored::OfOtherSteps); !status.ok())
    return Status::error(
        status.code(), sentence("QUERN_BUILD_OPTIONS is '", configured, "': ", status.sentence()));
  return {};
}

} // namespace

Result<Options> parseBuildOptions(std::string_view text, BuildStep step) {
  Options options;
  QUERN_TRY(parseInto(options, text, step, Ignored::None));
  QUERN_TRY(finish(options, step));
  return options;
}

Result<Options> parseWithConfiguredOptions(std::string_view text, BuildStep step) {
  Options options;
  QUERN_TRY(parseInto(options, text, step, Ignored::None));
  QUERN_TRY(addConfiguredOptions(options, step));
  QUERN_TRY(finish(options, step));
  return options;
}

Result<Options> parseIlOptions(std::string_view text, BuildStep step) {
  Options options;
  QUERN_TRY(parseInto(options, text, step, Ignored::Unknown));
  QUERN_TRY(addConfiguredOptions(options, step));
  QUERN_TRY(finish(options, step));
  options.standard = LanguageStandard::CL31;
  options.defines.clear();
  options.includeFolders.clear();
  return options;
}

std::string canonicalText(const Options& options) {
  std::string text = sentence(standardOption, standardName(options.standard));
  for (const Flag& flag : flags)
    if (options.*flag.field)
      text += sentence(" ", flag.text);
  // Lengths keep apart what quoting would have to.
  for (const auto& [name, value] : options.defines)
    text += sentence(" -D ", name.size(), ":", name, "=", value.size(), ":", value);
  for (const std::string& folder : options.includeFolders)
    text += sentence(" -I ", folder.size(), ":", folder);
  return text;
}

bool allowsNonUniformGroups(const Options& options) {
  return options.standard >= LanguageStandard::CL20 && !options.uniformWorkGroupSize;
}

std::string_view standardName(LanguageStandard standard) {
  for (const Standard& row : standards)
    if (row.standard == standard)
      return row.name;
  return {};
}

} // namespace quern::runtime

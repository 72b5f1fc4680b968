#include "runtime/build_options.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace quern::runtime {
namespace {

using compiler::LanguageStandard;
using compiler::Options;
using Defines = std::vector<std::pair<std::string, std::string>>;
using Folders = std::vector<std::string>;

Options parsed(std::string_view text, BuildStep step = BuildStep::Build) {
  Result<Options> options = parseBuildOptions(text, step);
  EXPECT_TRUE(options.ok()) << text << ": " << options.status().sentence();
  return options.ok() ? *options : Options();
}

cl_int errorOf(std::string_view text, BuildStep step = BuildStep::Build) {
  Result<Options> options = parseBuildOptions(text, step);
  if (options.ok())
    return CL_SUCCESS;
  EXPECT_FALSE(options.status().sentence().empty());
  return options.status().code();
}

TEST(BuildOptions, NoneAndWhiteSpaceAreTheDefaults) {
  EXPECT_EQ(canonicalText(parsed("")), canonicalText(Options()));
  EXPECT_EQ(canonicalText(parsed(" \t\n ")), canonicalText(Options()));
}

TEST(BuildOptions, DefinesWithAndWithoutSpaceAndValue) {
  EXPECT_EQ(parsed("-D A -DB -D C=2 -DD=x=y -D E=").defines,
            (Defines{{"A", "1"}, {"B", "1"}, {"C", "2"}, {"D", "x=y"}, {"E", ""}}));
}

TEST(BuildOptions, DefinesKeepTheirOrder) {
  EXPECT_EQ(parsed("-D A=1 -D A=2").defines, (Defines{{"A", "1"}, {"A", "2"}}));
}

TEST(BuildOptions, QuotesKeepWhiteSpaceInValuesAndFolders) {
  EXPECT_EQ(parsed(R"(-D "F(a, b)=a + b" -DS="a b")").defines,
            (Defines{{"F(a, b)", "a + b"}, {"S", "a b"}}));
  EXPECT_EQ(parsed(R"(-I "my headers" -I"other folder/x" -Iplain -I spaced)").includeFolders,
            (Folders{"my headers", "other folder/x", "plain", "spaced"}));
}

TEST(BuildOptions, EscapedQuotesAreCharacters) {
  EXPECT_EQ(parsed(R"(-DS=\"text\" -D "T=\"a b\"")").defines,
            (Defines{{"S", "\"text\""}, {"T", "\"a b\""}}));
}

TEST(BuildOptions, OtherBackslashesAndSingleQuotesAreCharacters) {
  EXPECT_EQ(parsed(R"(-DC='\n' -I C:\x)").defines, (Defines{{"C", R"('\n')"}}));
}

TEST(BuildOptions, DefinitionEndsAtLineBreak) {
  EXPECT_EQ(parsed("-D \"A=1\n2\"").defines, (Defines{{"A", "1"}}));
}

TEST(BuildOptions, EveryStandardIsKnown) {
  const std::pair<std::string, LanguageStandard> rows[] = {
      {"CL1.0", LanguageStandard::CL10},         {"CL1.1", LanguageStandard::CL11},
      {"CL1.2", LanguageStandard::CL12},         {"CL2.0", LanguageStandard::CL20},
      {"CL3.0", LanguageStandard::CL30},         {"CL3.1", LanguageStandard::CL31},
      {"CLC++", LanguageStandard::CLCpp10},      {"CLC++1.0", LanguageStandard::CLCpp10},
      {"CLC++2021", LanguageStandard::CLCpp2021}};
  for (const auto& [name, standard] : rows)
    EXPECT_EQ(parsed("-cl-std=" + name).standard, standard) << name;
}

TEST(BuildOptions, EveryFlagSetsItsField) {
  const std::pair<const char*, bool Options::*> rows[] = {
      {"-cl-single-precision-constant", &Options::singlePrecisionConstant},
      {"-cl-denorms-are-zero", &Options::denormsAreZero},
      {"-cl-fp32-correctly-rounded-divide-sqrt", &Options::correctlyRoundedDivideSqrt},
      {"-cl-opt-disable", &Options::optDisable},
      {"-cl-strict-aliasing", &Options::strictAliasing},
      {"-cl-uniform-work-group-size", &Options::uniformWorkGroupSize},
      {"-cl-no-subgroup-ifp", &Options::noSubgroupIfp},
      {"-cl-mad-enable", &Options::madEnable},
      {"-cl-no-signed-zeros", &Options::noSignedZeros},
      {"-cl-unsafe-math-optimizations", &Options::unsafeMathOptimizations},
      {"-cl-finite-math-only", &Options::finiteMathOnly},
      {"-cl-fast-relaxed-math", &Options::fastRelaxedMath},
      {"-cl-kernel-arg-info", &Options::kernelArgInfo},
      {"-w", &Options::disableWarnings},
      {"-Werror", &Options::warningsAreErrors},
      {"-g", &Options::debugInfo}};
  for (const auto& [text, field] : rows) {
    EXPECT_FALSE(Options().*field) << text;
    EXPECT_TRUE(parsed(text).*field) << text;
  }
}

TEST(BuildOptions, FastRelaxedMathImpliesTheOthers) {
  const Options options = parsed("-cl-fast-relaxed-math");
  EXPECT_TRUE(options.finiteMathOnly && options.unsafeMathOptimizations && options.noSignedZeros &&
              options.madEnable && options.denormsAreZero);
}

TEST(BuildOptions, LinkerKnowsItsOwn) {
  const Options options = parsed("-create-library -enable-link-options", BuildStep::Link);
  EXPECT_TRUE(options.createLibrary && options.enableLinkOptions);
  EXPECT_EQ(errorOf("-cl-denorms-are-zero -cl-no-signed-zeros -cl-unsafe-math-optimizations "
                    "-cl-finite-math-only -cl-fast-relaxed-math -cl-no-subgroup-ifp",
                    BuildStep::Link),
            CL_SUCCESS);
}

TEST(BuildOptions, EachStepHasItsErrorCode) {
  EXPECT_EQ(errorOf("-no-such-option", BuildStep::Build), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(errorOf("-no-such-option", BuildStep::Compile), CL_INVALID_COMPILER_OPTIONS);
  EXPECT_EQ(errorOf("-no-such-option", BuildStep::Link), CL_INVALID_LINKER_OPTIONS);
}

TEST(BuildOptions, OptionsOfTheOtherStepAreInvalid) {
  EXPECT_EQ(errorOf("-create-library", BuildStep::Build), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(errorOf("-enable-link-options", BuildStep::Compile), CL_INVALID_COMPILER_OPTIONS);
  for (const char* text : {"-D A", "-I x", "-cl-std=CL2.0", "-cl-kernel-arg-info", "-Werror"})
    EXPECT_EQ(errorOf(text, BuildStep::Link), CL_INVALID_LINKER_OPTIONS) << text;
}

TEST(BuildOptions, EnableLinkOptionsNeedsCreateLibrary) {
  EXPECT_EQ(errorOf("-enable-link-options", BuildStep::Link), CL_INVALID_LINKER_OPTIONS);
}

TEST(BuildOptions, MalformedOptionsAreInvalid) {
  for (const char* text : {"-D",
                           "-I",
                           "-cl-std",
                           "-cl-std=",
                           "-cl-std=CL9.9",
                           "-D 1A",
                           "-D =1",
                           "-D \"A B\"",
                           "-DA+B",
                           "-DF(",
                           "plain",
                           "-",
                           "\"",
                           "-D \"A=1",
                           "-x spir",
                           "-spir-std=1.2",
                           "-O3",
                           "-include x.h",
                           "-fplugin=x.so",
                           "@file",
                           "-Xclang -load",
                           "-wx",
                           "-gx",
                           "-U A",
                           "-cl-opt-disable=1"})
    EXPECT_EQ(errorOf(text), CL_INVALID_BUILD_OPTIONS) << text;
}

TEST(BuildOptions, ErrorNamesTheOption) {
  const Result<Options> options = parseBuildOptions("-w --frobnicate", BuildStep::Build);
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.status().sentence().find("--frobnicate"), std::string::npos);
}

TEST(BuildOptions, CanonicalTextIgnoresSpellingOnly) {
  EXPECT_EQ(canonicalText(parsed("-DA   -cl-mad-enable -w")),
            canonicalText(parsed("-w -cl-mad-enable -D A=1")));
  const char* different[] = {
      "",          "-D A",       "-D A=2",        "-D A -D B", "-D B -D A",      "-I A",
      "-I A -I B", "-I \"A B\"", "-cl-std=CL1.2", "-w",        "-D A=\" -D B\"", "-g"};
  for (const char* a : different)
    for (const char* b : different)
      EXPECT_EQ(canonicalText(parsed(a)) == canonicalText(parsed(b)), a == b) << a << " | " << b;
}

} // namespace
} // namespace quern::runtime

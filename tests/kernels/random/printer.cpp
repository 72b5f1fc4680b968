#include <set>
#include <sstream>

#include "kernels/random/program.h"

namespace quern::tests::random {
namespace {

class Printer {
public:
  Printer(const Program& program, size_t maxGroupItems)
      : program_(program), maxGroupItems_(maxGroupItems) {}
  std::string print();

private:
  std::string text(const Expression& e);
  std::string input(const Expression& e);
  std::string inputs(bool withTypes) const;
  std::string operation(const Expression& e);
  std::string arithmetic(const Expression& e, const char* sign);
  std::string constant(const Value& value);
  std::string field(int record, unsigned number) const {
    return program_.records[record].name + ".f" + std::to_string(number);
  }
  std::string link(int record, unsigned number) const {
    return program_.records[record].name + ".p" + std::to_string(number);
  }
  std::string address(const LinkTarget& target) const;
  void record(const Record& record);
  std::string place(int pointerOrArray, unsigned count, const Expression& index);
  std::string call(const Function& function, const std::vector<ExpressionPtr>& arguments,
                   const std::string& pointer);
  const char* fence(const LocalArray& local) {
    return local.place == LocalArray::Place::Global ? "barrier(CLK_GLOBAL_MEM_FENCE);"
                                                    : "barrier(CLK_LOCAL_MEM_FENCE);";
  }
  void line(const std::string& text) { out_ << std::string(2 * indent_, ' ') << text << '\n'; }
  void open(const std::string& text) {
    line(text);
    ++indent_;
  }
  void close(const std::string& text = "}") {
    --indent_;
    line(text);
  }
  void declarations(const Block& block);
  void block(const Block& block);
  void statement(const Statement& s);
  void countedLoop(const Statement& s);
  void loop(const Statement& s);
  void selection(const Statement& s);
  void exchange(const Statement& s);
  void together(const Statement& s);
  void finish();
  void ids();
  void function(const Function& f);
  void kernel();
  std::string localParameters(bool withTypes);

  const Program& program_;
  const size_t maxGroupItems_;
  std::ostringstream out_;
  std::set<std::string> divisions_; ///< types for which div_ and mod_ functions are needed
  int indent_ = 0;
};

std::string hex(uint64_t value) {
  std::ostringstream stream;
  stream << "0x" << std::hex << value;
  return stream.str();
}

std::string Printer::constant(const Value& value) {
  std::string result;
  for (unsigned i = 0; i < value.type.lanes; ++i)
    result += (i ? ", (" : "(") + value.type.element().name() + ")" + hex(value.lanes[i]) +
              (value.type.bits == 64 ? "ul" : "u");
  return value.type.isVector() ? "(" + value.type.name() + ")(" + result + ")" : "(" + result + ")";
}

std::string Printer::arithmetic(const Expression& e, const char* sign) {
  // Unsigned, because signed overflow has no meaning in C.
  const std::string a = text(*e.operands[0]), b = isUnary(e.op) ? "" : text(*e.operands[1]);
  const std::string type = e.type.name();
  if (!e.type.isVector()) {
    const std::string wide = e.type.bits == 64 ? "(ulong)" : "(uint)";
    return "(" + type + ")(" + (b.empty() ? sign + wide + a : wide + a + sign + wide + b) + ")";
  }
  if (!e.type.isSigned)
    return b.empty() ? "(" + (sign + a) + ")" : "(" + a + sign + b + ")";
  const std::string as = "as_" + e.type.asUnsigned().name() + "(";
  return "as_" + type + "(" +
         (b.empty() ? sign + as + a + ")" : as + a + ")" + sign + as + b + ")") + ")";
}

std::string Printer::operation(const Expression& e) {
  const Type operand = e.operands[0]->type;
  auto infix = [&](const char* sign) {
    std::string inner = "(" + text(*e.operands[0]) + " " + sign + " " + text(*e.operands[1]) + ")";
    return e.type.isVector() || isComparison(e.op) ? inner : "(" + e.type.name() + ")" + inner;
  };
  auto named = [&](const std::string& name) {
    return name + "(" + text(*e.operands[0]) + (isUnary(e.op) ? "" : ", " + text(*e.operands[1])) +
           ")";
  };
  switch (e.op) {
  case Operator::Add:
    return arithmetic(e, " + ");
  case Operator::Subtract:
    return arithmetic(e, " - ");
  case Operator::Multiply:
    return arithmetic(e, " * ");
  case Operator::Negate:
    return arithmetic(e, "-");
  case Operator::Divide:
  case Operator::Remainder:
    divisions_.insert(operand.name());
    return named((e.op == Operator::Divide ? "div_" : "mod_") + operand.name());
  case Operator::And:
    return infix("&");
  case Operator::Or:
    return infix("|");
  case Operator::Xor:
    return infix("^");
  case Operator::ShiftLeft:
    return infix("<<");
  case Operator::ShiftRight:
    return infix(">>");
  case Operator::Minimum:
    return named("min");
  case Operator::Maximum:
    return named("max");
  case Operator::Rotate:
    return named("rotate");
  case Operator::AddSaturated:
    return named("add_sat");
  case Operator::SubtractSaturated:
    return named("sub_sat");
  case Operator::MultiplyHigh:
    return named("mul_hi");
  case Operator::Less:
    return infix("<");
  case Operator::LessOrEqual:
    return infix("<=");
  case Operator::Equal:
    return infix("==");
  case Operator::NotEqual:
    return infix("!=");
  case Operator::LogicalAnd:
    return infix("&&");
  case Operator::LogicalOr:
    return infix("||");
  case Operator::Complement:
    return "(" + e.type.name() + ")(~" + text(*e.operands[0]) + ")";
  case Operator::LogicalNot:
    return "(!" + text(*e.operands[0]) + ")";
  case Operator::LeadingZeros:
    return named("clz");
  case Operator::CountOnes:
    return named("popcount");
  }
  return {};
}

std::string Printer::input(const Expression& e) {
  using From = Expression::InputFrom;
  const std::string place = text(*e.operands[0]) + " % " + std::to_string(Program::inputCount);
  switch (e.inputFrom) {
  case From::Buffer:
    return "in[" + place + "]";
  case From::Image:
    return "pixel(picture, " + place + ")";
  case From::SampledImage:
    return "sampled(picture, " + place + ")";
  case From::SharedMemory:
    return "shared[" + place + "]";
  case From::Halves:
    return "convert_int(halves[" + place + "])";
  }
  return {};
}

/// What all functions are given, as parameters (with types) or arguments.
std::string Printer::inputs(bool withTypes) const {
  std::string result = withTypes ? "global const int* in, global const int* flags" : "in, flags";
  if (program_.readsWidely)
    result += withTypes ? ", read_only image2d_t picture, global const int* shared, "
                          "global const half* halves"
                        : ", picture, shared, halves";
  return result;
}

std::string Printer::call(const Function& function, const std::vector<ExpressionPtr>& arguments,
                          const std::string& pointer) {
  std::string result = function.name + "(" + inputs(/*withTypes=*/false);
  for (const ExpressionPtr& argument : arguments)
    result += ", " + text(*argument);
  if (function.pointer >= 0)
    result += ", " + pointer;
  if (function.hasBarrier)
    result += localParameters(false);
  return result + ")";
}

std::string Printer::text(const Expression& e) {
  using Kind = Expression::Kind;
  const std::string dimension = std::to_string(e.index);
  switch (e.kind) {
  case Kind::Constant:
    return constant(e.value);
  case Kind::Variable:
    return program_.variables[e.index].name;
  case Kind::LocalId:
    return "(uint)get_local_id(" + dimension + ")";
  case Kind::GlobalId:
    return "(uint)get_global_id(" + dimension + ")";
  case Kind::GroupId:
    return "(uint)get_group_id(" + dimension + ")";
  case Kind::LocalSize:
    return "(uint)get_local_size(" + dimension + ")";
  case Kind::LinearLocalId:
    return "lid";
  case Kind::GroupItems:
    return "n";
  case Kind::OpaqueUniform:
    return "flags[" + std::to_string(e.index * int(Program::opaqueCopies)) + " + lid % " +
           std::to_string(Program::opaqueCopies) + "]";
  case Kind::Input:
    return input(e);
  case Kind::Halves: {
    const auto half = [&](int i) { return "(half)(" + text(*e.operands[i]) + " % 32)"; };
    return "convert_int(" + half(0) + " * " + half(1) + " + " + half(2) + ")";
  }
  case Kind::ArrayElement:
    return program_.arrays[e.index].name + "[" + text(*e.operands[0]) + " % " +
           std::to_string(program_.arrays[e.index].count) + "]";
  case Kind::PointerTarget:
    return program_.pointers[e.index].name + "[" + text(*e.operands[0]) + " % " +
           std::to_string(program_.pointers[e.index].reach) + "]";
  case Kind::LocalElement:
    return program_.locals[e.index].name + "[" + text(*e.operands[0]) + " % n]";
  case Kind::LocalOwn:
    return program_.locals[e.index].name + "[lid]";
  case Kind::Operation:
    return operation(e);
  case Kind::Choice: {
    std::string inner = "(" + text(*e.operands[0]) + " ? " + text(*e.operands[1]) + " : " +
                        text(*e.operands[2]) + ")";
    return e.type.isVector() ? inner : "(" + e.type.name() + ")" + inner;
  }
  case Kind::Convert:
    return (e.type.isVector() ? "convert_" + e.type.name() : "(" + e.type.name() + ")") + "(" +
           text(*e.operands[0]) + ")";
  case Kind::Splat:
  case Kind::Build: {
    std::string result = "(" + e.type.name() + ")(";
    for (size_t i = 0; i < e.operands.size(); ++i)
      result += (i ? ", " : "") + text(*e.operands[i]);
    return result + ")";
  }
  case Kind::Swizzle: {
    std::string result = "(" + text(*e.operands[0]) + ").s";
    for (uint8_t lane : e.lanes)
      result += "0123456789abcdef"[lane];
    return result;
  }
  case Kind::Call:
    return call(program_.functions[e.index], e.operands, "");
  case Kind::Field:
    return field(e.index, e.lanes[0]);
  case Kind::Linked:
    return "(" + e.type.name() + ")(" + link(e.index, e.lanes[0]) + " ? *" +
           link(e.index, e.lanes[0]) + " : " + text(*e.operands[0]) + ")";
  case Kind::LinkIsNull:
    return "(" + link(e.index, e.lanes[0]) + " == 0)";
  }
  return {};
}

std::string Printer::address(const LinkTarget& target) const {
  switch (target.kind) {
  case LinkTarget::Kind::Null:
    return "0";
  case LinkTarget::Kind::Field:
    return "&" + field(target.index, 0);
  case LinkTarget::Kind::Element:
    return program_.arrays[target.index].name + " + " + std::to_string(target.place);
  case LinkTarget::Kind::Own:
    return program_.locals[target.index].name + " + lid";
  }
  return {};
}

void Printer::record(const Record& record) {
  std::string members, values;
  for (unsigned i = 0; i < record.fields.size(); ++i) {
    const Type type = record.fields[i];
    members += type.name() + " f" + std::to_string(i) + "; ";
    values += "(" + type.name() + ")(" + std::to_string(i + record.initial) + "), ";
  }
  for (unsigned i = 0; i < Record::links; ++i)
    members += record.linked().name() + "* p" + std::to_string(i) + "; ";
  line("struct { " + members + "} " + record.name + " = {" + values + "0, 0};");
}

void Printer::declarations(const Block& block) {
  for (int index : block.variables) {
    const Variable& v = program_.variables[index];
    line(v.type.name() + " " + v.name + " = (" + v.type.name() + ")(" + std::to_string(v.initial) +
         ");");
  }
  for (int index : block.arrays) {
    const PrivateArray& a = program_.arrays[index];
    line(a.element.name() + " " + a.name + "[" + std::to_string(a.count) + "];");
    line("for (uint i = 0; i < " + std::to_string(a.count) + "; ++i)");
    line("  " + a.name + "[i] = (" + a.element.name() + ")(" + a.element.element().name() +
         ")(i * 3 + " + std::to_string(a.initial) + ");");
  }
  for (int index : block.pointers) {
    const Pointer& p = program_.pointers[index];
    line(p.element.name() + "* " + p.name + " = " + program_.arrays[p.array].name + ";");
  }
  for (int index : block.records)
    record(program_.records[index]);
}

void Printer::block(const Block& b) {
  declarations(b);
  for (const StatementPtr& s : b.statements)
    if (!s->removed)
      statement(*s);
}

/// A loop whose rounds are known before it.
void Printer::countedLoop(const Statement& s) {
  const Counting& counting = s.counting;
  const Type type = program_.variables[s.index].type;
  const std::string name = program_.variables[s.index].name;
  const std::string end = name.substr(0, name.find_first_of("[.")) + "end";
  const char* const signs[] = {"", " < ", " > ", " != "};
  const std::string test = name + signs[static_cast<int>(counting.test)] + end;
  const std::string start = constant(makeValue(type, counting.start));
  // Unsigned, because what is not reached may overflow.
  const std::string step = constant(makeValue(type.asUnsigned(), counting.step));
  const std::string advance = name + " += " + constant(makeValue(type, counting.step));
  const bool isDoWhile = s.form == Statement::LoopForm::DoWhile;
  open("{");
  line(counterDeclaration(name, type, counting.place));
  line(name + " = " + start + ";");
  line("const " + type.name() + " " + end + " = (" + type.name() + ")((ulong)" + start +
       " + (ulong)" + step + " * (ulong)(" + text(*s.expressions[0]) +
       (isDoWhile ? " + 1));" : "));"));
  if (s.form == Statement::LoopForm::For)
    open("for (; " + test + "; " + advance + ") {");
  else if (isDoWhile)
    open("do {");
  else {
    open("while (" + test + ") {");
    line(advance + ";");
  }
  block(s.blocks[0]);
  close(isDoWhile ? "} while (" + advance + ", " + test + ");" : "}");
  close();
}

void Printer::loop(const Statement& s) {
  if (s.counting.test != Counting::Test::UpTo)
    return countedLoop(s);
  const std::string name = program_.variables[s.index].name;
  const std::string test = name + " < " + text(*s.expressions[0]);
  switch (s.form) {
  case Statement::LoopForm::For:
    open("for (uint " + name + " = 0; " + test + "; ++" + name + ") {");
    block(s.blocks[0]);
    close();
    break;
  case Statement::LoopForm::While:
    open("{");
    line("uint " + name + " = 0;");
    open("while (" + test + ") {");
    line("++" + name + ";");
    block(s.blocks[0]);
    close();
    close();
    break;
  case Statement::LoopForm::DoWhile:
    open("{");
    line("uint " + name + " = 0;");
    open("do {");
    block(s.blocks[0]);
    close("} while (++" + test + ");");
    close();
    break;
  }
}

void Printer::selection(const Statement& s) {
  open("switch (" + text(*s.expressions[0]) + ") {");
  for (size_t i = 0; i < s.blocks.size(); ++i) {
    const bool last = i + 1 == s.blocks.size();
    open((last ? "default" : "case " + std::to_string(i)) + ": {");
    block(s.blocks[i]);
    close();
    if (!s.fallsThrough[i] || last)
      line("  break;");
  }
  close();
}

void Printer::exchange(const Statement& s) {
  const LocalArray& local = program_.locals[s.index];
  open("{");
  if (s.kind == Statement::Kind::Exchange) {
    line(local.name + "[lid] = " + text(*s.expressions[0]) + ";");
    block(s.blocks[0]);
  } else {
    const char* name = s.atomic == Operator::Add        ? "atomic_add"
                       : s.atomic == Operator::Subtract ? "atomic_sub"
                       : s.atomic == Operator::And      ? "atomic_and"
                       : s.atomic == Operator::Or       ? "atomic_or"
                       : s.atomic == Operator::Xor      ? "atomic_xor"
                       : s.atomic == Operator::Minimum  ? "atomic_min"
                                                        : "atomic_max";
    line(local.name + "[lid] = " + constant(makeValue(local.element, s.firstOffset)) + ";");
    line(fence(local));
    line(std::string(name) + "(&" + local.name + "[" + text(*s.expressions[0]) + " % n], " +
         text(*s.expressions[1]) + ");");
  }
  line(fence(local));
  block(s.blocks[1]);
  line(fence(local));
  close();
}

void Printer::together(const Statement& s) {
  using Function = SubGroupFunction;
  const char* name = s.atomic == Operator::Add        ? "add"
                     : s.atomic == Operator::Multiply ? "mul"
                     : s.atomic == Operator::And      ? "and"
                     : s.atomic == Operator::Or       ? "or"
                     : s.atomic == Operator::Xor      ? "xor"
                     : s.atomic == Operator::Minimum  ? "min"
                                                      : "max";
  const std::string value = text(*s.expressions[0]);
  const Variable& target = program_.variables[s.index];
  if (s.kind == Statement::Kind::WorkGroup) {
    const std::string call =
        s.subGroupFunction == Function::Reduce          ? std::string("reduce_") + name
        : s.subGroupFunction == Function::ScanInclusive ? std::string("scan_inclusive_") + name
        : s.subGroupFunction == Function::ScanExclusive ? std::string("scan_exclusive_") + name
        : s.subGroupFunction == Function::All           ? "all"
        : s.subGroupFunction == Function::Any           ? "any"
                                                        : "broadcast";
    const std::string from = s.subGroupFunction == Function::Shuffle
                                 ? ", " + text(*s.expressions[1]) + " % get_local_size(0), 0, 0"
                                 : "";
    return line(target.name + " = (" + target.type.name() + ")work_group_" + call + "(" + value +
                from + ");");
  }
  const auto call = [&]() -> std::string {
    switch (s.subGroupFunction) {
    case Function::Reduce:
      return std::string("sub_group_non_uniform_reduce_") + name + "(" + value + ")";
    case Function::ScanInclusive:
      return std::string("sub_group_non_uniform_scan_inclusive_") + name + "(" + value + ")";
    case Function::ScanExclusive:
      return std::string("sub_group_non_uniform_scan_exclusive_") + name + "(" + value + ")";
    case Function::BroadcastFirst:
      return "sub_group_broadcast_first(" + value + ")";
    case Function::AllEqual:
      return "(sub_group_non_uniform_all_equal(" + value + ") != 0)";
    case Function::All:
      return "(sub_group_non_uniform_all(" + value + ") != 0)";
    case Function::Any:
      return "(sub_group_non_uniform_any(" + value + ") != 0)";
    case Function::Ballot:
      return "sub_group_ballot(" + value + ").x";
    case Function::Elect:
      return "(sub_group_elect() != 0)";
    case Function::Id:
      return "get_sub_group_id()";
    case Function::LocalId:
      return "get_sub_group_local_id()";
    case Function::Size:
      return "get_sub_group_size()";
    case Function::Shuffle:
      return "sub_group_shuffle(" + value + ", " + text(*s.expressions[1]) +
             " % get_sub_group_size())";
    case Function::ClusteredReduce:
      return std::string("sub_group_clustered_reduce_") + name + "(" + value + ", " +
             std::to_string(s.lane) + ")";
    }
    return {};
  };
  line(target.name + " = (" + target.type.name() + ")" + call() + ";");
}

void Printer::finish() {
  open("{");
  line("ulong h = 0;");
  for (int index : program_.results) {
    const Variable& v = program_.variables[index];
    for (unsigned i = 0; i < v.type.lanes; ++i)
      line("MIX(h, " + v.name +
           (v.type.isVector() ? std::string(".s") + "0123456789abcdef"[i] : "") + ");");
  }
  line("out[gid] = h;");
  line("return;");
  close();
}

void Printer::statement(const Statement& s) {
  using Kind = Statement::Kind;
  switch (s.kind) {
  case Kind::Assign:
    return line(program_.variables[s.index].name + " = " + text(*s.expressions[0]) + ";");
  case Kind::AssignLane:
    return line(program_.variables[s.index].name + ".s" + "0123456789abcdef"[s.lane] + " = " +
                text(*s.expressions[0]) + ";");
  case Kind::SetElement:
    return line(program_.arrays[s.index].name + "[" + text(*s.expressions[0]) + " % " +
                std::to_string(program_.arrays[s.index].count) + "] = " + text(*s.expressions[1]) +
                ";");
  case Kind::SetTarget:
    return line(program_.pointers[s.index].name + "[" + text(*s.expressions[0]) + " % " +
                std::to_string(program_.pointers[s.index].reach) +
                "] = " + text(*s.expressions[1]) + ";");
  case Kind::SetPointer:
    return line(program_.pointers[s.index].name + " = " + text(*s.expressions[0]) + " ? " +
                program_.arrays[s.first].name + " + " + std::to_string(s.firstOffset) + " : " +
                program_.arrays[s.second].name + " + " + std::to_string(s.secondOffset) + ";");
  case Kind::Nested:
    open("{");
    block(s.blocks[0]);
    return close();
  case Kind::If:
    open("if (" + text(*s.expressions[0]) + ") {");
    block(s.blocks[0]);
    if (!s.blocks[1].statements.empty()) {
      close("} else {");
      ++indent_;
      block(s.blocks[1]);
    }
    return close();
  case Kind::Loop:
    return loop(s);
  case Kind::Switch:
    return selection(s);
  case Kind::Break:
    return line("break;");
  case Kind::Continue:
    return line("continue;");
  case Kind::Finish:
    return finish();
  case Kind::Return:
    return line("return " + text(*s.expressions[0]) + ";");
  case Kind::Barrier:
    return line("barrier(CLK_LOCAL_MEM_FENCE);");
  case Kind::Exchange:
  case Kind::Accumulate:
    return exchange(s);
  case Kind::SubGroup:
  case Kind::WorkGroup:
    return together(s);
  case Kind::CallInto: {
    const Variable& target = program_.variables[s.index];
    std::string pointer =
        s.second < 0 ? "" : program_.arrays[s.second].name + " + " + std::to_string(s.secondOffset);
    return line(target.name + " = (" + target.type.name() + ")" +
                call(program_.functions[s.first], s.expressions, pointer) + ";");
  }
  case Kind::SetOwn:
    return line(program_.locals[s.index].name + "[lid] = " + text(*s.expressions[0]) + ";");
  case Kind::SetField:
    return line(field(s.index, s.lane) + " = " + text(*s.expressions[0]) + ";");
  case Kind::SetLink: {
    const std::string pointer = "(" + program_.records[s.index].linked().name() + "*)";
    return line(link(s.index, s.lane) + " = " + text(*s.expressions[0]) + " ? " + pointer + "(" +
                address(s.targets[0]) + ") : " + pointer + "(" + address(s.targets[1]) + ");");
  }
  case Kind::CopyLink:
    return line(link(s.index, s.lane) + " = " + link(s.first, unsigned(s.second)) + ";");
  case Kind::SetLinked:
    line("if (" + link(s.index, s.lane) + ")");
    return line("  *" + link(s.index, s.lane) + " = " + text(*s.expressions[0]) + ";");
  }
}

void Printer::ids() {
  line("const uint lid = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * "
       "get_local_size(0) + get_local_id(0));");
  line("const uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));");
}

/// The memory of the group as parameters (with types) or arguments.
std::string Printer::localParameters(bool withTypes) {
  std::string result;
  for (const LocalArray& local : program_.locals)
    result += ", " +
              (withTypes ? (local.place == LocalArray::Place::Global ? "global " : "local ") +
                               local.element.name() + "* "
                         : std::string()) +
              local.name;
  return result;
}

void Printer::function(const Function& f) {
  std::string head = f.isNoinline ? "__attribute__((noinline)) " : "";
  head += f.result->type.name() + " " + f.name + "(" + inputs(/*withTypes=*/true);
  for (int parameter : f.parameters)
    head +=
        ", " + program_.variables[parameter].type.name() + " " + program_.variables[parameter].name;
  if (f.pointer >= 0)
    head += ", " + program_.pointers[f.pointer].element.name() + "* " +
            program_.pointers[f.pointer].name;
  open(head + (f.hasBarrier ? localParameters(true) : "") + ") {");
  if (f.usesIds)
    ids();
  block(f.body);
  line("return " + text(*f.result) + ";");
  close();
}

void Printer::kernel() {
  std::string head =
      "kernel GROUP_SIZE void k(" + inputs(/*withTypes=*/true) + ", global ulong* out";
  for (int argument : program_.arguments)
    head +=
        ", " + program_.variables[argument].type.name() + " " + program_.variables[argument].name;
  for (const LocalArray& local : program_.locals)
    if (local.place == LocalArray::Place::Argument)
      head += ", local " + local.element.name() + "* " + local.name;
    else if (local.place == LocalArray::Place::Global)
      head += ", global " + local.element.name() + "* all_" + local.name;
  open(head + ") {");
  ids();
  line("const size_t group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * "
       "get_num_groups(0) + get_group_id(0);");
  const std::string row = program_.numbersColumnsFirst() ? "0" : "1",
                    column = program_.numbersColumnsFirst() ? "1" : "0";
  line("const size_t gid = (get_global_id(2) * get_global_size(" + row + ") + get_global_id(" +
       row + ")) * get_global_size(" + column + ") + get_global_id(" + column + ");");
  for (const LocalArray& local : program_.locals)
    if (local.place == LocalArray::Place::Variable)
      line("local " + local.element.name() + " " + local.name + "[" +
           std::to_string(maxGroupItems_) + "];");
    else if (local.place == LocalArray::Place::Global)
      line("global " + local.element.name() + "* " + local.name + " = all_" + local.name +
           " + group * n;");
  block(program_.kernel.body);
  finish();
  close();
}

std::string Printer::print() {
  for (const Function& f : program_.functions)
    function(f);
  kernel();
  std::string head = "// random kernel of seed " + std::to_string(program_.seed) +
                     "\n#ifndef GROUP_SIZE\n#define GROUP_SIZE\n#endif\n#define MIX(h, x) h = "
                     "(rotate(h, 7ul) ^ (ulong)(x)) * 0x9e3779b97f4a7c15ul\n";
  if (program_.readsWidely) {
    const std::string place = "(int2)(i % " + std::to_string(Program::pictureWidth) + ", i / " +
                              std::to_string(Program::pictureWidth) + ")";
    head +=
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
        "CLK_FILTER_NEAREST;\n"
        "int pixel(read_only image2d_t picture, uint i) { return read_imagei(picture, " +
        place +
        ").y; }\n"
        "int sampled(read_only image2d_t picture, uint i) { return read_imagei(picture, "
        "nearest, " +
        place + ").y; }\n";
  }
  for (const std::string& type : divisions_) {
    const bool isSigned = type[0] != 'u';
    const std::string zero = "b == (" + type + ")(0)";
    const std::string open = isSigned ? "(" + zero + ") | (b == (" + type + ")(-1))" : zero;
    const bool vector = type.find_first_of("0123456789") != std::string::npos;
    for (auto [name, sign, otherwise] : {std::tuple{"div_", " / ", "a"}, {"mod_", " % ", "b"}})
      head += type + " " + name + type + "(" + type + " a, " + type + " b) { return " +
              (vector ? "(" + open + ") ? (" + type + ")(" + otherwise + ") : (a" + sign + "b)"
                      : "(" + type + ")((" + open + ") ? " + otherwise + " : a" + sign + "b)") +
              "; }\n";
  }
  return head + out_.str();
}

} // namespace

std::string print(const Program& program, size_t maxGroupItems) {
  return Printer(program, maxGroupItems).print();
}

} // namespace quern::tests::random

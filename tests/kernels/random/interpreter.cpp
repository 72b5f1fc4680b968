#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "kernels/random/program.h"

namespace quern::tests::random {
namespace {

using Items = std::vector<unsigned>;

/// One element of a group's memory and who touched it since the last barrier.
struct SharedElement {
  Value value;
  unsigned writeEpoch = 0, readEpoch = 0, atomicEpoch = 0;
  unsigned writer = 0, reader = 0;
  bool manyReaders = false;
};

struct Target {
  int array = -1;
  unsigned offset = 0;
};

struct RecordState {
  std::vector<Value> fields;
  std::array<LinkTarget, Record::links> links;
};

enum class Flow : uint8_t { Normal, Break, Continue, Leave };

/// Runs one work-group: each statement is carried out for all items that reach it before the next
/// one is.
class Group {
public:
  Group(const Program& program, const Shape& shape, std::array<size_t, 3> group);
  void run(std::vector<uint64_t>& results);

private:
  Value evaluate(const Expression& e, unsigned item);
  Value call(const Function& f, const std::vector<ExpressionPtr>& arguments, unsigned item);
  uint64_t index(const Expression& e, unsigned item, unsigned limit) {
    return evaluate(e, item).lanes[0] % limit;
  }
  bool test(const Expression& e, unsigned item) { return evaluate(e, item).lanes[0] != 0; }

  Items live(const Items& items) const;
  void block(const Block& block, const Items& items);
  void statement(const Statement& s, const Items& items);
  void loop(const Statement& s, Items items);
  void selection(const Statement& s, const Items& items);
  void exchange(const Statement& s, const Items& items);
  void callInto(const Statement& s, const Items& items);
  void together(const Statement& s, const Items& members, unsigned first, unsigned size);
  void finish(unsigned item);
  void barrier(const Items& items);
  Value read(int local, uint64_t place, unsigned item);
  void write(int local, uint64_t place, unsigned item, const Value& value);
  void combine(int local, uint64_t place, Operator op, const Value& value);
  Value& target(int pointer, uint64_t place, unsigned item);
  Value linked(const LinkTarget& target, unsigned item);
  void setLinked(const LinkTarget& target, unsigned item, const Value& value);
  void setRecord(const Statement& s, unsigned item);

  const Program& program_;
  const Shape& shape_;
  const std::array<size_t, 3> group_;
  const unsigned count_;
  unsigned epoch_ = 1;
  unsigned ended_ = 0; ///< items
  std::vector<std::vector<Value>> variables_;
  std::vector<std::vector<std::vector<Value>>> arrays_;
  std::vector<std::vector<Target>> pointers_;
  std::vector<std::vector<SharedElement>> locals_;
  std::vector<std::vector<RecordState>> records_;
  std::vector<Flow> flow_;
  std::vector<Value> returned_;
  std::vector<uint64_t>* results_ = nullptr;
};

Group::Group(const Program& program, const Shape& shape, std::array<size_t, 3> group)
    : program_(program), shape_(shape), group_(group), count_(unsigned(shape.groupItems())),
      variables_(program.variables.size(), std::vector<Value>(count_)),
      arrays_(program.arrays.size(), std::vector<std::vector<Value>>(count_)),
      pointers_(program.pointers.size(), std::vector<Target>(count_)),
      records_(program.records.size(), std::vector<RecordState>(count_)),
      flow_(count_, Flow::Normal), returned_(count_) {
  for (const LocalArray& local : program.locals)
    locals_.emplace_back(count_, SharedElement{makeValue(local.element, 0)});
  for (int argument : program.arguments)
    for (Value& value : variables_[argument])
      value = makeValue(program.variables[argument].type, program.variables[argument].initial);
}

Value Group::read(int local, uint64_t place, unsigned item) {
  SharedElement& e = locals_[local][place];
  if ((e.writeEpoch == epoch_ && e.writer != item) || e.atomicEpoch == epoch_)
    throw std::logic_error("an item reads what another wrote without a barrier");
  e.manyReaders = e.readEpoch == epoch_ && (e.manyReaders || e.reader != item);
  e.readEpoch = epoch_;
  e.reader = item;
  return e.value;
}

void Group::write(int local, uint64_t place, unsigned item, const Value& value) {
  SharedElement& e = locals_[local][place];
  if ((e.writeEpoch == epoch_ && e.writer != item) || e.atomicEpoch == epoch_ ||
      (e.readEpoch == epoch_ && (e.manyReaders || e.reader != item)))
    throw std::logic_error("an item writes what another uses without a barrier");
  e.writeEpoch = epoch_;
  e.writer = item;
  e.value = value;
}

void Group::combine(int local, uint64_t place, Operator op, const Value& value) {
  SharedElement& e = locals_[local][place];
  if (e.writeEpoch == epoch_ || e.readEpoch == epoch_)
    throw std::logic_error("an atomic operation races with a plain access");
  e.atomicEpoch = epoch_;
  e.value = apply(op, e.value, value);
}

Value& Group::target(int pointer, uint64_t place, unsigned item) {
  const Target& t = pointers_[pointer][item];
  return arrays_[t.array][item].at(t.offset + place);
}

Value Group::linked(const LinkTarget& target, unsigned item) {
  switch (target.kind) {
  case LinkTarget::Kind::Field:
    return records_[target.index][item].fields.front();
  case LinkTarget::Kind::Element:
    return arrays_[target.index][item].at(target.place);
  case LinkTarget::Kind::Own:
    return read(target.index, item, item);
  case LinkTarget::Kind::Null:
    break;
  }
  throw std::logic_error("a null link is followed");
}

void Group::setLinked(const LinkTarget& target, unsigned item, const Value& value) {
  if (target.kind == LinkTarget::Kind::Field)
    records_[target.index][item].fields.front() = value;
  else if (target.kind == LinkTarget::Kind::Element)
    arrays_[target.index][item].at(target.place) = value;
  else if (target.kind == LinkTarget::Kind::Own)
    write(target.index, item, item, value);
}

void Group::setRecord(const Statement& s, unsigned item) {
  RecordState& record = records_[s.index][item];
  switch (s.kind) {
  case Statement::Kind::SetField:
    record.fields[s.lane] = evaluate(*s.expressions[0], item);
    break;
  case Statement::Kind::SetLink:
    record.links[s.lane] = s.targets[test(*s.expressions[0], item) ? 0 : 1];
    break;
  case Statement::Kind::CopyLink:
    record.links[s.lane] = records_[s.first][item].links[s.second];
    break;
  default:
    if (const LinkTarget target = record.links[s.lane]; target.kind != LinkTarget::Kind::Null)
      setLinked(target, item, evaluate(*s.expressions[0], item));
  }
}

Value Group::evaluate(const Expression& e, unsigned item) {
  using Kind = Expression::Kind;
  const auto number = [](uint64_t value) { return makeValue(uintType, value); };
  const size_t localId[] = {item % shape_.local[0], item / shape_.local[0] % shape_.local[1],
                            item / shape_.local[0] / shape_.local[1]};
  switch (e.kind) {
  case Kind::Constant:
    return e.value;
  case Kind::Variable:
    return variables_[e.index][item];
  case Kind::LocalId:
    return number(localId[e.index]);
  case Kind::GlobalId:
    return number(group_[e.index] * shape_.local[e.index] + localId[e.index]);
  case Kind::GroupId:
    return number(group_[e.index]);
  case Kind::LocalSize:
    return number(shape_.local[e.index]);
  case Kind::LinearLocalId:
    return number(item);
  case Kind::GroupItems:
    return number(count_);
  case Kind::OpaqueUniform:
    return makeValue(intType, uint64_t(program_.opaqueUniforms[e.index]));
  case Kind::Input: {
    const int input = program_.inputs[index(*e.operands[0], item, Program::inputCount)];
    const bool isHalf = e.inputFrom == Expression::InputFrom::Halves;
    return makeValue(intType, uint64_t(isHalf ? input % halfLimit : input));
  }
  case Kind::Halves: {
    std::array<int64_t, 3> numbers = {};
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = evaluate(*e.operands[i], item).signedLane(0) % 32;
    return makeValue(intType, uint64_t(numbers[0] * numbers[1] + numbers[2]));
  }
  case Kind::ArrayElement:
    return arrays_[e.index][item][index(*e.operands[0], item, program_.arrays[e.index].count)];
  case Kind::PointerTarget:
    return target(e.index, index(*e.operands[0], item, program_.pointers[e.index].reach), item);
  case Kind::LocalElement:
    return read(e.index, index(*e.operands[0], item, count_), item);
  case Kind::LocalOwn:
    return read(e.index, item, item);
  case Kind::Operation: {
    Value left = evaluate(*e.operands[0], item);
    if (e.op == Operator::LogicalAnd && left.lanes[0] == 0)
      return makeValue(intType, 0);
    if (e.op == Operator::LogicalOr && left.lanes[0] != 0)
      return makeValue(intType, 1);
    return apply(e.op, left, isUnary(e.op) ? left : evaluate(*e.operands[1], item));
  }
  case Kind::Choice: {
    Value condition = evaluate(*e.operands[0], item);
    if (!e.type.isVector())
      return evaluate(*e.operands[condition.lanes[0] ? 1 : 2], item);
    Value result = evaluate(*e.operands[1], item), other = evaluate(*e.operands[2], item);
    for (unsigned i = 0; i < e.type.lanes; ++i)
      if (condition.signedLane(i) >= 0)
        result.lanes[i] = other.lanes[i];
    return result;
  }
  case Kind::Convert:
    return convert(evaluate(*e.operands[0], item), e.type);
  case Kind::Splat:
    return makeValue(e.type, evaluate(*e.operands[0], item).lanes[0]);
  case Kind::Build: {
    Value result{e.type};
    for (unsigned i = 0; i < e.type.lanes; ++i)
      result.lanes[i] = evaluate(*e.operands[i], item).lanes[0];
    return result;
  }
  case Kind::Swizzle: {
    Value source = evaluate(*e.operands[0], item), result{e.type};
    for (unsigned i = 0; i < e.type.lanes; ++i)
      result.lanes[i] = source.lanes[e.lanes[i]];
    return result;
  }
  case Kind::Call:
    return call(program_.functions[e.index], e.operands, item);
  case Kind::Field:
    return records_[e.index][item].fields[e.lanes[0]];
  case Kind::Linked: {
    const LinkTarget target = records_[e.index][item].links[e.lanes[0]];
    return target.kind == LinkTarget::Kind::Null ? evaluate(*e.operands[0], item)
                                                 : linked(target, item);
  }
  case Kind::LinkIsNull:
    return makeValue(intType,
                     records_[e.index][item].links[e.lanes[0]].kind == LinkTarget::Kind::Null);
  }
  throw std::logic_error("an expression of no kind");
}

Value Group::call(const Function& f, const std::vector<ExpressionPtr>& arguments, unsigned item) {
  std::vector<Value> values;
  for (const ExpressionPtr& argument : arguments)
    values.push_back(evaluate(*argument, item));
  for (size_t i = 0; i < values.size(); ++i)
    variables_[f.parameters[i]][item] = values[i];
  const Flow before = flow_[item];
  flow_[item] = Flow::Normal;
  block(f.body, {item});
  Value result = flow_[item] == Flow::Leave ? returned_[item] : evaluate(*f.result, item);
  flow_[item] = before;
  return result;
}

Items Group::live(const Items& items) const {
  Items result;
  for (unsigned item : items)
    if (flow_[item] == Flow::Normal)
      result.push_back(item);
  return result;
}

void Group::block(const Block& b, const Items& items) {
  for (unsigned item : items) {
    for (int v : b.variables)
      variables_[v][item] = makeValue(program_.variables[v].type, program_.variables[v].initial);
    for (int a : b.arrays) {
      const PrivateArray& array = program_.arrays[a];
      arrays_[a][item].clear();
      for (unsigned i = 0; i < array.count; ++i)
        arrays_[a][item].push_back(makeValue(array.element, i * 3 + array.initial));
    }
    for (int p : b.pointers)
      pointers_[p][item] = {program_.pointers[p].array, 0};
    for (int r : b.records) {
      const Record& record = program_.records[r];
      RecordState& state = records_[r][item] = {};
      for (unsigned i = 0; i < record.fields.size(); ++i)
        state.fields.push_back(makeValue(record.fields[i], i + record.initial));
    }
  }
  for (const StatementPtr& s : b.statements) {
    Items now = live(items);
    if (now.empty())
      return;
    if (!s->removed)
      statement(*s, now);
  }
}

void Group::barrier(const Items& items) {
  if (items.size() + ended_ != count_)
    throw std::logic_error("not all items of the group that have not ended reach a barrier");
  ++epoch_;
}

void Group::loop(const Statement& s, Items items) {
  const Type type = program_.variables[s.index].type;
  const bool isKnown = s.counting.test != Counting::Test::UpTo;
  std::vector<Value>& counter = variables_[s.index];
  std::vector<Value> ends(count_);
  for (unsigned item : items) {
    if (isKnown)
      ends[item] = s.counting.end(type, evaluate(*s.expressions[0], item).lanes[0] +
                                            (s.form == Statement::LoopForm::DoWhile));
    counter[item] = makeValue(type, s.counting.start);
  }
  const auto holds = [&](unsigned item) {
    return isKnown ? !s.counting.hasEnded(counter[item], ends[item])
                   : counter[item].lanes[0] < evaluate(*s.expressions[0], item).lanes[0];
  };
  const auto step = [&](unsigned item) {
    counter[item] = apply(Operator::Add, counter[item], makeValue(type, s.counting.step));
  };
  for (bool first = true; !items.empty(); first = false) {
    if (s.form != Statement::LoopForm::DoWhile || !first) {
      // The test of do-while stands after the increment, which is where the next round begins.
      if (s.form == Statement::LoopForm::DoWhile)
        for (unsigned item : items)
          step(item);
      std::erase_if(items, [&](unsigned item) { return !holds(item); });
    }
    if (s.form == Statement::LoopForm::While)
      for (unsigned item : items)
        step(item);
    block(s.blocks[0], items);
    Items next;
    for (unsigned item : items) {
      if (flow_[item] == Flow::Leave)
        continue;
      const bool stays = flow_[item] != Flow::Break;
      flow_[item] = Flow::Normal;
      if (!stays)
        continue;
      if (s.form == Statement::LoopForm::For)
        step(item);
      next.push_back(item);
    }
    items = std::move(next);
  }
}

void Group::selection(const Statement& s, const Items& items) {
  std::vector<size_t> chosen;
  for (unsigned item : items)
    chosen.push_back(
        std::min<size_t>(evaluate(*s.expressions[0], item).lanes[0], s.blocks.size() - 1));
  Items running;
  for (size_t i = 0; i < s.blocks.size(); ++i) {
    for (size_t j = 0; j < items.size(); ++j)
      if (chosen[j] == i)
        running.push_back(items[j]);
    // Those that fall through meet those of this case, in the order in which sub-groups have them.
    std::ranges::sort(running);
    if (!running.empty())
      block(s.blocks[i], running);
    running = s.fallsThrough[i] ? live(running) : Items();
  }
  for (unsigned item : items)
    if (flow_[item] == Flow::Break)
      flow_[item] = Flow::Normal;
}

void Group::exchange(const Statement& s, const Items& items) {
  const Type element = program_.locals[s.index].element;
  if (s.kind == Statement::Kind::Exchange) {
    for (unsigned item : items)
      write(s.index, item, item, evaluate(*s.expressions[0], item));
    block(s.blocks[0], items);
  } else {
    for (unsigned item : items)
      write(s.index, item, item, makeValue(element, s.firstOffset));
    barrier(items);
    for (unsigned item : items)
      combine(s.index, index(*s.expressions[0], item, count_), s.atomic,
              evaluate(*s.expressions[1], item));
  }
  // All items may have left together.
  Items rest = live(items);
  if (rest.empty())
    return;
  barrier(rest);
  block(s.blocks[1], rest);
  if (rest = live(rest); !rest.empty())
    barrier(rest);
}

/// `members`, in the order of their ids, belong to one sub-group, or to the group, of `size`
/// work-items from `first` on.
void Group::together(const Statement& s, const Items& members, unsigned first, unsigned size) {
  using Function = SubGroupFunction;
  const Type type = program_.variables[s.index].type;
  std::vector<Value> values;
  std::vector<uint64_t> indices;
  for (unsigned item : members) {
    values.push_back(evaluate(*s.expressions[0], item));
    indices.push_back(evaluate(*s.expressions[1], item).lanes[0]);
  }
  // Of the members from `begin` to before `end`.
  const auto total = [&](size_t begin, size_t end) {
    Value sum;
    for (size_t i = begin; i < end; ++i)
      sum = i == begin ? values[i] : apply(s.atomic, sum, values[i]);
    return sum;
  };
  const auto count = [&](auto&& holds) {
    return static_cast<size_t>(std::ranges::count_if(values, holds));
  };
  const auto isTrue = [](const Value& value) { return value.lanes[0] != 0; };
  const auto number = [&](uint64_t value) { return convert(makeValue(ulongType, value), type); };
  const auto neutral = [&] {
    const uint64_t all = ~uint64_t{0};
    const uint64_t top = uint64_t{1} << (type.bits - 1);
    switch (s.atomic) {
    case Operator::Multiply:
      return number(1);
    case Operator::And:
      return number(all);
    case Operator::Minimum:
      return number(type.isSigned ? top - 1 : all);
    case Operator::Maximum:
      return number(type.isSigned ? top : 0);
    default:
      return number(0);
    }
  };
  for (size_t i = 0; i < members.size(); ++i) {
    const unsigned own = members[i] - first;
    const auto result = [&]() -> Value {
      switch (s.subGroupFunction) {
      case Function::Reduce:
        return total(0, members.size());
      case Function::ScanInclusive:
        return total(0, i + 1);
      case Function::ScanExclusive:
        return i == 0 ? neutral() : total(0, i);
      case Function::BroadcastFirst:
        return values.front();
      case Function::AllEqual:
        return number(count([&](const Value& value) {
                        return value.lanes[0] == values.front().lanes[0];
                      }) == values.size());
      case Function::All:
        return number(count(isTrue) == values.size());
      case Function::Any:
        return number(count(isTrue) > 0);
      case Function::Ballot: {
        uint64_t bits = 0;
        for (size_t j = 0; j < members.size(); ++j)
          bits |= uint64_t{isTrue(values[j])} << (members[j] - first);
        return number(bits);
      }
      case Function::Elect:
        return number(i == 0);
      case Function::Id:
        return number(first / shape_.subGroup);
      case Function::LocalId:
        return number(own);
      case Function::Size:
        return number(size);
      case Function::Shuffle:
        return values[indices[i] % (s.kind == Statement::Kind::WorkGroup ? shape_.local[0] : size)];
      case Function::ClusteredReduce:
        return total(own / s.lane * s.lane,
                     std::min<size_t>(own / s.lane * s.lane + s.lane, members.size()));
      }
      throw std::logic_error("a function of sub-groups of no kind");
    };
    variables_[s.index][members[i]] = result();
  }
}

void Group::callInto(const Statement& s, const Items& items) {
  const Function& f = program_.functions[s.first];
  std::vector<std::vector<Value>> values;
  for (unsigned item : items) {
    values.emplace_back();
    for (const ExpressionPtr& argument : s.expressions)
      values.back().push_back(evaluate(*argument, item));
  }
  for (size_t i = 0; i < items.size(); ++i) {
    for (size_t j = 0; j < f.parameters.size(); ++j)
      variables_[f.parameters[j]][items[i]] = values[i][j];
    if (f.pointer >= 0)
      pointers_[f.pointer][items[i]] = {s.second, s.secondOffset};
  }
  block(f.body, items);
  for (unsigned item : items) {
    Value result = flow_[item] == Flow::Leave ? returned_[item] : evaluate(*f.result, item);
    flow_[item] = Flow::Normal;
    variables_[s.index][item] = convert(result, program_.variables[s.index].type);
  }
}

void Group::finish(unsigned item) {
  uint64_t h = 0;
  for (int index : program_.results) {
    Value wide =
        convert(variables_[index][item], Type{64, false, program_.variables[index].type.lanes});
    for (unsigned i = 0; i < wide.type.lanes; ++i)
      h = ((h << 7 | h >> 57) ^ wide.lanes[i]) * 0x9e3779b97f4a7c15;
  }
  size_t x = group_[0] * shape_.local[0] + item % shape_.local[0];
  size_t y = group_[1] * shape_.local[1] + item / shape_.local[0] % shape_.local[1];
  size_t z = group_[2] * shape_.local[2] + item / shape_.local[0] / shape_.local[1];
  (*results_)[(z * shape_.global[1] + y) * shape_.global[0] + x] = h;
  ++ended_;
}

void Group::statement(const Statement& s, const Items& items) {
  using Kind = Statement::Kind;
  const auto each = [&](auto&& action) {
    for (unsigned item : items)
      action(item);
  };
  switch (s.kind) {
  case Kind::Assign:
    return each(
        [&](unsigned item) { variables_[s.index][item] = evaluate(*s.expressions[0], item); });
  case Kind::AssignLane:
    return each([&](unsigned item) {
      variables_[s.index][item].lanes[s.lane] = evaluate(*s.expressions[0], item).lanes[0];
    });
  case Kind::SetElement:
    return each([&](unsigned item) {
      Value value = evaluate(*s.expressions[1], item);
      arrays_[s.index][item][index(*s.expressions[0], item, program_.arrays[s.index].count)] =
          value;
    });
  case Kind::SetTarget:
    return each([&](unsigned item) {
      Value value = evaluate(*s.expressions[1], item);
      target(s.index, index(*s.expressions[0], item, program_.pointers[s.index].reach), item) =
          value;
    });
  case Kind::SetPointer:
    return each([&](unsigned item) {
      pointers_[s.index][item] = test(*s.expressions[0], item) ? Target{s.first, s.firstOffset}
                                                               : Target{s.second, s.secondOffset};
    });
  case Kind::Nested:
    return block(s.blocks[0], items);
  case Kind::If: {
    Items yes, no;
    each([&](unsigned item) { (test(*s.expressions[0], item) ? yes : no).push_back(item); });
    if (!yes.empty())
      block(s.blocks[0], yes);
    if (!no.empty())
      block(s.blocks[1], no);
    return;
  }
  case Kind::Loop:
    return loop(s, items);
  case Kind::Switch:
    return selection(s, items);
  case Kind::Break:
    return each([&](unsigned item) { flow_[item] = Flow::Break; });
  case Kind::Continue:
    return each([&](unsigned item) { flow_[item] = Flow::Continue; });
  case Kind::Finish:
    return each([&](unsigned item) {
      finish(item);
      flow_[item] = Flow::Leave;
    });
  case Kind::Return:
    return each([&](unsigned item) {
      returned_[item] = evaluate(*s.expressions[0], item);
      flow_[item] = Flow::Leave;
    });
  case Kind::Barrier:
    return barrier(items);
  case Kind::Exchange:
  case Kind::Accumulate:
    return exchange(s, items);
  case Kind::SubGroup:
    for (size_t begin = 0; begin < items.size();) {
      size_t end = begin;
      while (end < items.size() && items[end] / shape_.subGroup == items[begin] / shape_.subGroup)
        ++end;
      const auto full = static_cast<unsigned>(shape_.subGroup);
      const unsigned first = items[begin] / full * full;
      together(s, {items.begin() + long(begin), items.begin() + long(end)}, first,
               std::min(full, count_ - first));
      begin = end;
    }
    return;
  case Kind::WorkGroup:
    if (items.size() != count_)
      throw std::logic_error("not all items of the group reach a collective function");
    return together(s, items, 0, count_);
  case Kind::CallInto:
    return callInto(s, items);
  case Kind::SetOwn:
    return each(
        [&](unsigned item) { write(s.index, item, item, evaluate(*s.expressions[0], item)); });
  case Kind::SetField:
  case Kind::SetLink:
  case Kind::CopyLink:
  case Kind::SetLinked:
    return each([&](unsigned item) { setRecord(s, item); });
  }
}

void Group::run(std::vector<uint64_t>& results) {
  results_ = &results;
  Items all(count_);
  std::iota(all.begin(), all.end(), 0u);
  block(program_.kernel.body, all);
  for (unsigned item : live(all))
    finish(item);
}

} // namespace

std::vector<uint64_t> interpret(const Program& program, const Shape& shape) {
  std::vector<uint64_t> results(shape.items());
  std::array<size_t, 3> group;
  for (group[2] = 0; group[2] < shape.global[2] / shape.local[2]; ++group[2])
    for (group[1] = 0; group[1] < shape.global[1] / shape.local[1]; ++group[1])
      for (group[0] = 0; group[0] < shape.global[0] / shape.local[0]; ++group[0])
        Group(program, shape, group).run(results);
  return results;
}

} // namespace quern::tests::random

#include "compiler/packets/access_emitter.h"

#include <numeric>

#include "compiler/il/streaming.h"

namespace quern::compiler {

using llvm::Value;

AccessEmitter::AccessEmitter(llvm::IRBuilder<>& builder, const InterleaveGroup& group,
                             unsigned width)
    : builder_(builder), group_(group), width_(width),
      size_(builder.GetInsertBlock()->getDataLayout().getTypeStoreSize(group.element)),
      type_(llvm::FixedVectorType::get(group.element, width)) {}

Value* AccessEmitter::address(Value* base, uint64_t elements) {
  return elements == 0 ? base
                       : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, elements * size_);
}

llvm::Align AccessEmitter::alignment(uint64_t elements) const {
  return llvm::commonAlignment(group_.alignment, elements * size_);
}

/// Which of the first `count` elements from the lowest on are members.
llvm::SmallVector<bool, 16> AccessEmitter::members(unsigned count) const {
  llvm::SmallVector<bool, 16> result(count);
  for (const InterleaveGroup::Member& member : group_.members)
    result[member.offset] = true;
  return result;
}

/// Elements of `a` and, from `width_` on, of `b`; any where the index is negative.
Value* AccessEmitter::shuffle(Value* a, Value* b, llvm::function_ref<int(unsigned)> index) {
  llvm::SmallVector<int, 16> indices;
  for (unsigned i = 0; i < width_; ++i)
    indices.push_back(index(i));
  return builder_.CreateShuffleVector(a, b, indices);
}

/// A vector of elements of several: `place` gives each one's number in the row of all sources.
Value* AccessEmitter::gathered(llvm::ArrayRef<Value*> sources,
                               llvm::function_ref<unsigned(unsigned)> place) {
  llvm::SmallVector<unsigned, 16> needed;
  for (unsigned number = 0; number < sources.size(); ++number)
    for (unsigned i = 0; i < width_; ++i)
      if (place(i) / width_ == number) {
        needed.push_back(number);
        break;
      }
  // Two sources at first, then one after the other.
  const unsigned first = needed.front(), second = needed.size() > 1 ? needed[1] : first;
  Value* result = shuffle(sources[first], sources[second], [&](unsigned i) -> int {
    const unsigned number = place(i) / width_;
    return number == first ? place(i) % width_ : number == second ? width_ + place(i) % width_ : -1;
  });
  for (unsigned next : llvm::drop_begin(needed, std::min<size_t>(2, needed.size())))
    result = shuffle(result, sources[next], [&](unsigned i) -> int {
      const unsigned number = place(i) / width_;
      return number < next ? int(i) : number == next ? int(width_ + place(i) % width_) : -1;
    });
  return result;
}

/// The inverse of what memory does: `stream` holds element 0 of the first work-item, then its
/// element 1, and so on to the last work-item's last.
AccessEmitter::Vectors AccessEmitter::deinterleave(llvm::ArrayRef<Value*> stream,
                                                   llvm::ArrayRef<bool> wanted) {
  const unsigned count = stream.size();
  Vectors result(count);
  if (count == 1) {
    result[0] = stream[0];
    return result;
  }
  if (count % 2 != 0) {
    for (unsigned offset = 0; offset < count; ++offset)
      if (wanted[offset])
        result[offset] = gathered(stream, [&](unsigned i) { return i * count + offset; });
    return result;
  }
  for (unsigned parity = 0; parity < 2; ++parity) {
    llvm::SmallVector<bool, 16> wantedHalf;
    for (unsigned i = parity; i < count; i += 2)
      wantedHalf.push_back(wanted[i]);
    if (!llvm::is_contained(wantedHalf, true))
      continue;
    Vectors half;
    for (unsigned i = 0; i < count; i += 2)
      half.push_back(
          shuffle(stream[i], stream[i + 1], [&](unsigned lane) { return 2 * lane + parity; }));
    const Vectors parts = deinterleave(half, wantedHalf);
    for (unsigned i = 0; i < parts.size(); ++i)
      result[2 * i + parity] = parts[i];
  }
  return result;
}

AccessEmitter::Vectors AccessEmitter::interleave(llvm::ArrayRef<Value*> values) {
  const unsigned count = values.size();
  if (count == 1)
    return Vectors(values);
  Vectors result;
  if (count % 2 != 0) {
    for (unsigned number = 0; number < count; ++number)
      result.push_back(gathered(values, [&](unsigned i) {
        const unsigned element = number * width_ + i;
        return element % count * width_ + element / count;
      }));
    return result;
  }
  Vectors halves[2];
  for (unsigned parity = 0; parity < 2; ++parity) {
    Vectors own;
    for (unsigned i = parity; i < count; i += 2)
      own.push_back(values[i]);
    halves[parity] = interleave(own);
  }
  for (unsigned i = 0; i < count; ++i)
    result.push_back(shuffle(halves[0][i / 2], halves[1][i / 2], [&](unsigned lane) {
      return (i % 2 * width_ + lane) / 2 + lane % 2 * width_;
    }));
  return result;
}

/// The mask of the `number`th vector of a stream: work-items of `mask` (null for all), their used
/// elements.
Value* AccessEmitter::spread(Value* mask, unsigned number, llvm::ArrayRef<bool> used) {
  const unsigned stride = group_.stride;
  const auto isUsed = [&](unsigned i) {
    const unsigned offset = (number * width_ + i) % stride;
    return offset < used.size() && used[offset];
  };
  if (!mask) {
    llvm::SmallVector<llvm::Constant*, 16> bits;
    for (unsigned i = 0; i < width_; ++i)
      bits.push_back(builder_.getInt1(isUsed(i)));
    return llvm::ConstantVector::get(bits);
  }
  return shuffle(mask, llvm::Constant::getNullValue(mask->getType()), [&](unsigned i) {
    return isUsed(i) ? int((number * width_ + i) / stride) : int(width_);
  });
}

/// Memory between two elements that are read can be read too: it lies on the page of one of them.
/// So the last vector must end with the last work-item's last member, unless the alignment shows
/// that more is there.
AccessEmitter::Vectors AccessEmitter::loadStrided(Value* base, Value* mask) {
  const unsigned stride = group_.stride;
  const unsigned span = (width_ - 1) * stride + group_.span;
  const bool isAligned = llvm::isPowerOf2_32(stride) && group_.alignment.value() >= stride * size_;
  const llvm::SmallVector<bool, 16> read(group_.span, true);
  Vectors stream;
  for (unsigned number = 0; number < stride; ++number) {
    const unsigned begin = number * width_, end = begin + width_;
    if (begin >= span) {
      stream.push_back(llvm::PoisonValue::get(type_));
    } else if (mask) {
      stream.push_back(builder_.CreateMaskedLoad(type_, address(base, begin), alignment(begin),
                                                 spread(mask, number, read)));
    } else if (end <= span || isAligned) {
      stream.push_back(builder_.CreateAlignedLoad(type_, address(base, begin), alignment(begin)));
    } else {
      const unsigned shift = end - span;
      Value* last =
          builder_.CreateAlignedLoad(type_, address(base, begin - shift), alignment(begin - shift));
      stream.push_back(shuffle(
          last, last, [&](unsigned i) { return i + shift < width_ ? int(i + shift) : -1; }));
    }
  }
  return deinterleave(stream, members(stride));
}

void AccessEmitter::storeStrided(Value* base, const Vectors& values, Value* mask) {
  const unsigned stride = group_.stride;
  const llvm::SmallVector<bool, 16> written = members(stride);
  Vectors all(stride);
  for (unsigned offset = 0; offset < stride; ++offset)
    all[offset] = written[offset] ? values[offset] : llvm::PoisonValue::get(type_);
  const Vectors stream = interleave(all);
  const bool isWhole = !mask && !llvm::is_contained(written, false);
  const auto members = llvm::map_range(group_.members, [](auto& member) { return member.access; });
  const llvm::SmallVector<llvm::Instruction*, 16> stores(members);
  for (unsigned number = 0; number < stride; ++number) {
    const uint64_t begin = uint64_t{number} * width_;
    if (isWhole)
      streamLike(stores, *builder_.CreateAlignedStore(stream[number], address(base, begin),
                                                      alignment(begin)));
    else
      builder_.CreateMaskedStore(stream[number], address(base, begin), alignment(begin),
                                 spread(mask, number, written));
  }
}

/// 2^n vectors of one type as one.
Value* AccessEmitter::joined(llvm::ArrayRef<Value*> parts) {
  if (parts.size() == 1)
    return parts.front();
  Value* low = joined(parts.take_front(parts.size() / 2));
  Value* high = joined(parts.drop_front(parts.size() / 2));
  const unsigned count = llvm::cast<llvm::FixedVectorType>(low->getType())->getNumElements();
  llvm::SmallVector<int, 16> all(2 * count);
  std::iota(all.begin(), all.end(), 0);
  return builder_.CreateShuffleVector(low, high, all);
}

AccessEmitter::Vectors AccessEmitter::loadRows(llvm::ArrayRef<Value*> addresses) {
  const unsigned count = group_.span;
  llvm::Type* rowType = llvm::FixedVectorType::get(group_.element, count);
  Vectors rows;
  for (Value* one : addresses)
    rows.push_back(builder_.CreateAlignedLoad(rowType, one, group_.alignment));
  // Rows one after the other, cut into vectors.
  Vectors stream;
  if (count >= width_) {
    for (Value* row : rows)
      for (unsigned begin = 0; begin < count; begin += width_)
        stream.push_back(shuffle(row, row, [&](unsigned i) { return begin + i; }));
  } else {
    for (unsigned i = 0; i < rows.size(); i += width_ / count)
      stream.push_back(joined(llvm::ArrayRef(rows).slice(i, width_ / count)));
  }
  return deinterleave(stream, members(count));
}

void AccessEmitter::storeRows(llvm::ArrayRef<Value*> addresses, const Vectors& values) {
  const unsigned count = group_.span;
  const Vectors stream = interleave(values);
  for (unsigned lane = 0; lane < width_; ++lane) {
    const unsigned begin = lane * count;
    Value* row = nullptr;
    if (count > width_) {
      row = joined(llvm::ArrayRef(stream).slice(begin / width_, count / width_));
    } else {
      llvm::SmallVector<int, 16> indices(count);
      std::iota(indices.begin(), indices.end(), begin % width_);
      row = builder_.CreateShuffleVector(stream[begin / width_], indices);
    }
    builder_.CreateAlignedStore(row, addresses[lane], group_.alignment);
  }
}

} // namespace quern::compiler

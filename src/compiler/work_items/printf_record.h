#pragma once

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "abi/printf_record.h"

namespace quern::compiler {

/// The record of one call of printf (abi/printf_record.h).
class PrintfRecord {
public:
  /// Inserts conversions of the arguments in front of `call`.
  explicit PrintfRecord(llvm::CallInst& call);

  uint64_t bytes() const { return bytes_; }
  /// Stores the record at `record`, a pointer of any address space.
  void store(llvm::IRBuilder<>& builder, llvm::Value* record) const;

private:
  /// One value of a record and what describes it.
  struct Field {
    abi::PrintfField head;
    llvm::Value* value;
    uint64_t valueBytes() const { return uint64_t{head.elementBytes} * head.elementCount; }
  };

  static Field describe(llvm::IRBuilder<>& builder, llvm::Value* value);
  static uint64_t storeField(llvm::IRBuilder<>& builder, llvm::Value* record, uint64_t offset,
                             const Field& field);

  llvm::Value* const format_;
  std::vector<Field> fields_;
  uint64_t bytes_ = sizeof(abi::PrintfHeader);
};

} // namespace quern::compiler

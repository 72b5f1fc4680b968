#include "api/memory_flags.h"

#include "api/invalid.h"
#include "base/sentence.h"

namespace quern::api {

namespace {

constexpr cl_mem_flags hostAccess =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags hostPointerModes =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

bool moreThanOne(cl_mem_flags bits) {
  return (bits & (bits - 1)) != 0;
}

} // namespace

Status checkFlags(cl_mem_flags flags) {
  if (flags & ~(kernelAccessFlags | hostAccess | hostPointerModes))
    return invalidValue(
        sentence("memory flags ", flags, " contain bits that mean nothing for a memory object"));
  if (moreThanOne(flags & kernelAccessFlags))
    return invalidValue(
        "CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY exclude each other");
  if (moreThanOne(flags & hostAccess))
    return invalidValue("the CL_MEM_HOST_xxx access flags exclude each other");
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return invalidValue(
        "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR");
  return {};
}

Status checkHostPointer(const runtime::Context& context, cl_mem_flags flags,
                        const void* hostPointer) {
  const bool needed = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  if (needed && !hostPointer)
    return Status::error(CL_INVALID_HOST_PTR,
                         "host_ptr is NULL but the flags say that it is used or copied");
  if (!needed && hostPointer)
    return Status::error(CL_INVALID_HOST_PTR,
                         "host_ptr is given but the flags say neither to use nor to copy it");
  const auto allocation = context.unifiedMemory().find(hostPointer);
  if (allocation && !allocation->memory().hostPointer())
    return Status::error(CL_INVALID_HOST_PTR,
                         "host_ptr is to memory of a device, which the host does not reach");
  return {};
}

Status checkFlagsOfPart(std::string_view part, cl_mem_flags parent, cl_mem_flags flags) {
  if (flags & hostPointerModes)
    return invalidValue(
        sentence("this ", part, " takes its host pointer mode from what it is made of"));
  QUERN_TRY(checkFlags(flags));
  const auto clash = [parent, flags](cl_mem_flags has, cl_mem_flags excluded) {
    return (parent & has) && (flags & excluded);
  };
  if (clash(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))
    return invalidValue(sentence("a ", part, " of a write-only object cannot be read"));
  if (clash(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))
    return invalidValue(sentence("a ", part, " of a read-only object cannot be written"));
  if (clash(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY))
    return invalidValue(
        sentence("the host cannot read a ", part, " of an object that it only writes"));
  if (clash(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY))
    return invalidValue(
        sentence("the host cannot write a ", part, " of an object that it only reads"));
  if (clash(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))
    return invalidValue(
        sentence("the host cannot access a ", part, " of an object that it may not access"));
  return {};
}

cl_mem_flags inheritFlags(cl_mem_flags parent, cl_mem_flags flags) {
  if (!(flags & kernelAccessFlags))
    flags |= parent & kernelAccessFlags;
  if (!(flags & hostAccess))
    flags |= parent & hostAccess;
  return flags | (parent & hostPointerModes);
}

} // namespace quern::api

#include "devices/remote/remote_executable.h"

namespace quern::remote {

namespace {

/// So many answers of one kind are remembered.
constexpr size_t mostAnswers = 4096;

template <typename Container>
void remember(Container& answers, typename Container::value_type answer) {
  if (answers.size() >= mostAnswers)
    answers.clear();
  answers.insert(std::move(answer));
}

} // namespace

Result<Ref<device::Executable>> RemoteExecutable::load(RemoteNode& node, uint64_t device,
                                                       const abi::ProgramImage& image) {
  const uint64_t number = node.newNumber();
  QUERN_ASSIGN(std::vector<device::KernelLimits> limits,
               node.call<std::vector<device::KernelLimits>>(cluster::Load{
                   .device = device, .executable = number, .image = abi::encode(image)}));
  if (limits.size() != image.kernels.size())
    return Status::error(CL_OUT_OF_RESOURCES, "a node of the cluster has lost kernels");
  return Ref<device::Executable>(makeRef<RemoteExecutable>(node, number, std::move(limits)));
}

RemoteExecutable::RemoteExecutable(RemoteNode& node, uint64_t number,
                                   std::vector<device::KernelLimits> limits)
    : node_(node), number_(number), limits_(std::move(limits)) {
  node_.add(number_, *this);
}

RemoteExecutable::~RemoteExecutable() {
  node_.remove(number_);
  node_.tell(cluster::Free{number_});
}

Status RemoteExecutable::checkLaunch(uint32_t kernel, const device::NdRange& range,
                                     uint64_t localArgumentBytes) const {
  const std::tuple question(kernel, range.local, localArgumentBytes);
  if (answers_.lock()->possible.contains(question))
    return {};
  Status status = node_
                      .call<uint8_t>(cluster::CheckLaunch{.executable = number_,
                                                          .kernel = kernel,
                                                          .range = range,
                                                          .localArgumentBytes = localArgumentBytes})
                      .takeStatus();
  if (status.ok())
    remember(answers_.lock()->possible, question);
  return status;
}

std::array<uint64_t, 3> RemoteExecutable::suggestLocalSize(uint32_t kernel,
                                                           const device::NdRange& range,
                                                           bool mayBeNonUniform) const {
  const std::tuple question(kernel, range.workDim, range.offset, range.global, mayBeNonUniform);
  {
    auto answers = answers_.lock();
    if (const auto known = answers->localSizes.find(question); known != answers->localSizes.end())
      return known->second;
  }
  const Result<Sizes> answer = node_.call<Sizes>(cluster::SuggestLocalSize{
      .executable = number_, .kernel = kernel, .range = range, .mayBeNonUniform = mayBeNonUniform});
  if (!answer.ok())
    return {1, 1, 1};
  remember(answers_.lock()->localSizes, {question, answer.value()});
  return answer.value();
}

void RemoteExecutable::setHotnessTrigger(uint32_t kernel, uint64_t nanoseconds,
                                         std::function<void(const device::LaunchKernel&)> report) {
  reports_.lock()->insert_or_assign(kernel, std::move(report));
  node_.tell(cluster::SetHotnessTrigger{number_, kernel, nanoseconds});
}

void RemoteExecutable::reportHot(const cluster::Launch& launch) {
  const auto report = reports_.with([&](auto& reports) {
    const auto place = reports.find(launch.kernel);
    return place == reports.end() ? nullptr : std::exchange(place->second, nullptr);
  });
  if (report)
    report(cluster::launchOf(launch, Ref<device::Executable>(this)));
}

Status RemoteExecutable::addSpecialisation(uint32_t kernel, Ref<device::Executable> specialisation,
                                           device::Adoption adoption) {
  const auto& better = static_cast<const RemoteExecutable&>(*specialisation);
  return node_
      .call<uint8_t>(
          cluster::AddSpecialisation{.executable = number_,
                                     .kernel = kernel,
                                     .specialisation = better.number(),
                                     .isAdoptedAtOnce = adoption == device::Adoption::AtOnce})
      .takeStatus();
}

} // namespace quern::remote

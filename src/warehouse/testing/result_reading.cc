// SPDX-License-Identifier: Apache-2.0
#include "warehouse/testing/result_reading.h"

#include <optional>
#include <utility>

#include "arrow/testing/ipc_writer.h"

namespace dbx {

Result<std::vector<int64_t>> ReadRows(ResultStream& rows) {
  std::vector<int64_t> numbers;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, rows.Next());
    if (!batch) return numbers;
    RETURN_IF_ERROR(CheckRows(*batch, static_cast<int64_t>(numbers.size())));
    const std::vector<int64_t> more = RowNumbers(*batch);
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
}

Result<std::vector<ResultLink>> ReadLinks(LinkSource& links) {
  std::vector<ResultLink> all;
  while (true) {
    ASSIGN_OR_RETURN(std::optional<ResultLink> link, links.Next());
    if (!link) return all;
    all.push_back(*std::move(link));
  }
}

void Gate::Open() {
  MutexLock lock(mutex_);
  open_ = true;
  changed_.NotifyAll();
}

void Gate::Wait() {
  MutexLock lock(mutex_);
  while (!open_) changed_.Wait(mutex_);
}

}  // namespace dbx

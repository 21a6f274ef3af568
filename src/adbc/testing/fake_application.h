// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "adbc/database.h"
#include "arrow-adbc/adbc.h"
#include "base/cancellation.h"
#include "metadata/testing/fake_session.h"
#include "nanoarrow/nanoarrow.hpp"
#include "result/result_stream.h"

namespace dbx {

/// An AdbcError that releases itself.
struct OwnedError : AdbcError {
  OwnedError() : AdbcError(ADBC_ERROR_INIT) {}
  ~OwnedError() {
    if (release != nullptr) release(this);
  }
  OwnedError(const OwnedError&) = delete;
  OwnedError& operator=(const OwnedError&) = delete;

  std::string text() const { return message == nullptr ? std::string() : message; }
  std::string state() const;
};

/// A stream whose Next blocks until it is cancelled. `reading` is told when somebody waits.
class BlockedStream : public ResultStream {
 public:
  explicit BlockedStream(std::promise<void>* reading) : reading_(reading) {}

  const std::shared_ptr<const Schema>& schema() const override { return schema_; }
  Result<std::optional<RecordBatch>> Next() override;
  void Cancel(Status reason) override { cancellation_.Cancel(std::move(reason)); }

 private:
  std::promise<void>* const reading_;
  const std::shared_ptr<const Schema> schema_ = Int64Schema({"n"});
  Cancellation cancellation_;
};

/// A program that uses the driver through its table, on a service that `on_execute` plays.
class FakeApplication {
 public:
  using Options = std::map<std::string, std::string>;

  explicit FakeApplication(FakeSession::Handler on_execute = {}, Options database_options = {});
  ~FakeApplication();
  FakeApplication(const FakeApplication&) = delete;
  FakeApplication& operator=(const FakeApplication&) = delete;

  /// Database, connection and statement up to where they can be used.
  AdbcStatusCode OpenAll();
  /// Releases what is still there, the outermost first: the wrong way round.
  void ReleaseFromTheTop();

  std::vector<StatementRequest> requests() const;
  std::string LastSql() const { return requests().back().sql; }

  AdbcDriver driver = {};
  AdbcDatabase database = {};
  AdbcConnection connection = {};
  AdbcStatement statement = {};
  OwnedError error;
  const std::shared_ptr<FakeSessionRecord> record = std::make_shared<FakeSessionRecord>();
};

/// All values of the only int64 column of `stream`, which must not fail.
std::vector<int64_t> ReadInt64s(ArrowArrayStream* stream);

/// A batch and its schema as an application binds them.
struct BoundBatch {
  nanoarrow::UniqueSchema schema;
  nanoarrow::UniqueArray array;
};
BoundBatch Int64Parameters(const std::vector<int64_t>& values);

}  // namespace dbx

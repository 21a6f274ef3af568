// SPDX-License-Identifier: Apache-2.0
#include "warehouse/sea/sea_execution.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/str_cat.h"
#include "result/inline_result.h"
#include "result/text_cell.h"
#include "warehouse/background_call.h"
#include "warehouse/sea/inline_rows.h"
#include "warehouse/sea/manifest_schema.h"
#include "warehouse/sea/sea_links.h"
#include "warehouse/sea/sea_statement.h"
#include "warehouse/sea/stored_file.h"

namespace dbx::sea {
namespace {

constexpr std::string_view kAffectedRows = "num_affected_rows";
// A server answers within some ten seconds, as long as it waits for the statement by itself.
constexpr std::chrono::seconds kPatience{20};
// Below this a result's one file is fetched at once: its schema alone would cost as much.
constexpr int64_t kSmallFile = int64_t{64} << 10;

const Config& ConfigOf(const SessionCore& core, const StatementRequest& request) {
  return request.config ? *request.config : core.config();
}

std::optional<SteadyTime> DeadlineOf(const SessionCore& core, const StatementRequest& request) {
  const auto timeout = request.timeout.value_or(ConfigOf(core, request).statement.query_timeout);
  if (timeout.count() <= 0) return std::nullopt;
  return Clock::Real().Now() + timeout;
}

void EndOnServer(SessionCore& core, const std::string& statement_id, Cancellation* cancellation) {
  if (statement_id.empty()) return;
  const Status cancelled = core.client().CancelStatement(statement_id, cancellation);
  const Status closed = core.client().CloseStatement(statement_id, cancellation);
  core.log().Write(
      LogLevel::kInfo, "statement.cancel",
      {{"statement_id", statement_id}, {"sent", cancelled.ok()}, {"closed", closed.ok()}});
}

/// Sends the statement and waits for the reply; one that nobody waits for any more is ended in the
/// background.
Result<StatementReply> Submit(const std::shared_ptr<SessionCore>& core,
                              const ExecuteRequest& request, Cancellation* cancellation) {
  if (cancellation == nullptr) return core->client().Execute(request, nullptr);
  auto call = std::make_shared<BackgroundCall<StatementReply>>(
      [core = core.get(), request](Cancellation* broken_off) {
        return core->client().Execute(request, broken_off);
      });
  Result<StatementReply> reply = call->Wait(cancellation);
  if (!reply.ok() && !cancellation->status().ok()) {
    core->housekeeper().RunSoon([core = core.get(), call](Cancellation* limit) {
      const auto abandoned = call->WaitFor(kPatience, limit);
      if (abandoned) EndOnServer(*core, abandoned->statement_id, limit);
    });
  }
  return reply;
}

/// A request that was turned down for the disposition it asked for; it has not run.
bool RefusesDisposition(const Status& failure) {
  if (failure.http_status() != 400 && failure.http_status() != 501) return false;
  std::string text = failure.message();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.find("disposition") != std::string::npos ||
         text.find("external_links") != std::string::npos;
}

Result<StatementReply> SubmitWithFallBack(const std::shared_ptr<SessionCore>& core,
                                          const StatementRequest& request,
                                          Cancellation* cancellation) {
  while (true) {
    const Disposition disposition = core->disposition();
    ASSIGN_OR_RETURN(const ExecuteRequest wire, MakeExecuteRequest(*core, request, disposition));
    Result<StatementReply> reply = Submit(core, wire, cancellation);
    if (reply.ok() || !RefusesDisposition(reply.status())) return reply;
    if (wire.disposition != disposition || !core->LowerDisposition(disposition)) return reply;
    core->log().Write(LogLevel::kInfo, "disposition.refused",
                      {{"error", reply.status().ToString()}});
  }
}

/// A statement that has finished well, with what came with its last reply.
struct Finished {
  std::unique_ptr<SeaStatement> statement;
  ManifestMessage manifest;
  std::vector<ColumnMessage> columns;  // in order
  ResultMessage result;
};

Status CheckManifest(const ManifestMessage& manifest) {
  if (!manifest.is_volume_operation) return Status::Ok();
  return Status::NotImplemented(
      "PUT, GET and REMOVE of volume files are not done by this driver; no local file was touched");
}

bool IsEmpty(const Finished& finished) {
  // Whatever else is missing: rows that the service speaks of are asked for.
  if (finished.manifest.total_row_count.value_or(0) > 0) return false;
  if (finished.columns.empty()) return true;
  return finished.manifest.total_row_count == 0 || finished.manifest.total_chunk_count == 0;
}

Result<Finished> Finish(const std::shared_ptr<SessionCore>& core, const StatementRequest& request,
                        Cancellation* cancellation) {
  RETURN_IF_ERROR(core->lost());
  const std::optional<SteadyTime> deadline = DeadlineOf(*core, request);
  Result<StatementReply> first = SubmitWithFallBack(core, request, cancellation);
  if (!first.ok()) return core->Note(first.status());
  core->NoteStatement(request.sql);
  Finished finished;
  finished.statement = std::make_unique<SeaStatement>(core, first->statement_id, request.config);
  ASSIGN_OR_RETURN(StatementReply reply, finished.statement->WaitUntilFinished(
                                             *std::move(first), deadline, cancellation));
  if (reply.manifest) finished.manifest = *std::move(reply.manifest);
  RETURN_IF_ERROR(CheckManifest(finished.manifest));
  finished.columns = InOrder(std::move(finished.manifest.columns));
  finished.result = std::move(reply.result);
  const bool has_result = finished.result.has_rows() || !finished.result.external_links.empty();
  if (!has_result && !IsEmpty(finished)) {
    ASSIGN_OR_RETURN(finished.result, finished.statement->Chunk(0, cancellation));
  }
  return finished;
}

ResultManifest ManifestOf(const ManifestMessage& message) {
  ResultManifest manifest;
  manifest.compression =
      message.result_compression == "LZ4_FRAME" ? Compression::kLz4Frame : Compression::kNone;
  manifest.num_rows = message.total_row_count;
  manifest.num_chunks = message.total_chunk_count;
  manifest.num_bytes = message.total_byte_count;
  manifest.truncated = message.truncated;
  return manifest;
}

bool IsDml(const std::vector<ColumnMessage>& columns) {
  return !columns.empty() && columns.front().name == kAffectedRows;
}

Status AddRows(Finished finished, Execution& execution) {
  const bool dml = IsDml(finished.columns);
  ASSIGN_OR_RETURN(execution.rows, MakeInlineRows(std::move(finished.statement), finished.manifest,
                                                  finished.columns, std::move(finished.result)));
  execution.manifest.schema = execution.rows->schema();
  if (!dml) return Status::Ok();
  ASSIGN_OR_RETURN(execution.rows_affected, PeekInteger(&execution.rows, kAffectedRows));
  return Status::Ok();
}

/// Rows of text, and results without rows, do not tell the zone that SET may have changed.
Status LearnTimeZone(const std::shared_ptr<SessionCore>& core, const Finished& finished,
                     Cancellation* cancellation) {
  if (core->time_zone_is_sure() || !finished.result.attachment.empty()) return Status::Ok();
  if (!finished.result.external_links.empty() || !HasTimestamps(finished.columns)) {
    return Status::Ok();
  }
  ASSIGN_OR_RETURN(std::vector<std::string> row,
                   FirstRow(core, "SELECT current_timezone()", cancellation));
  if (!row.empty()) core->SetTimeZone(std::move(row.front()));
  return Status::Ok();
}

Status AddNoRows(const SessionCore& core, const std::vector<ColumnMessage>& columns,
                 Execution& execution) {
  ASSIGN_OR_RETURN(execution.manifest.schema, SchemaFromManifest(columns, core.time_zone()));
  execution.rows = MakeEmptyStream(execution.manifest.schema);
  return Status::Ok();
}

/// Counts of changed rows and other small results come as files too where the service does not
/// answer inline.
bool IsWorthFetchingWhole(const Finished& finished) {
  if (finished.manifest.total_chunk_count != 1) return false;
  const std::optional<int64_t>& num_bytes = finished.manifest.total_byte_count;
  return IsDml(finished.columns) || (num_bytes && *num_bytes <= kSmallFile);
}

Status AddLinks(Finished finished, Execution& execution, Cancellation* cancellation) {
  const bool whole = IsWorthFetchingWhole(finished);
  auto links = std::make_unique<SeaLinkSource>(std::move(finished.statement), finished.manifest);
  RETURN_IF_ERROR(links->Append(std::move(finished.result)));
  SessionCore& core = links->statement().core();
  ASSIGN_OR_RETURN(const std::optional<ResultLink> first, links->Peek(cancellation));
  if (!first) return AddNoRows(core, finished.columns, execution);
  if (whole) {
    finished.result = {};
    if (!finished.manifest.total_row_count) finished.manifest.total_row_count = first->num_rows;
    ASSIGN_OR_RETURN(finished.result.attachment, FetchFirstFile(*links, cancellation));
    finished.statement = links->TakeStatement();
    return AddRows(std::move(finished), execution);
  }
  links->statement().KeepAlive();
  ASSIGN_OR_RETURN(const std::shared_ptr<const Schema> stored,
                   FetchFirstSchema(*links, cancellation));
  ASSIGN_OR_RETURN(execution.manifest.schema, SchemaOfRows(finished.columns, *stored));
  if (std::string zone = TimeZoneOf(*stored); !zone.empty()) core.SetTimeZone(std::move(zone));
  // Chunks without rows have no link; that all chunks were named is seen to by the link source.
  execution.manifest.num_chunks.reset();
  execution.links = std::move(links);
  return Status::Ok();
}

Status AddResult(const std::shared_ptr<SessionCore>& core, Finished finished, Execution& execution,
                 Cancellation* cancellation) {
  RETURN_IF_ERROR(LearnTimeZone(core, finished, cancellation));
  if (!finished.result.external_links.empty()) {
    return AddLinks(std::move(finished), execution, cancellation);
  }
  if (finished.result.has_rows()) return AddRows(std::move(finished), execution);
  if (IsEmpty(finished)) return AddNoRows(*core, finished.columns, execution);
  return Status::Integrity("the service sent neither rows nor links of the result");
}

}  // namespace

Result<std::vector<std::string>> FirstRow(const std::shared_ptr<SessionCore>& core,
                                          const std::string& sql, Cancellation* cancellation) {
  StatementRequest request;
  request.sql = sql;
  ASSIGN_OR_RETURN(const Execution execution, Execute(core, request, cancellation));
  if (!execution.rows) return Status::InvalidData("one row came as links");
  ASSIGN_OR_RETURN(const std::optional<RecordBatch> batch, execution.rows->Next());
  if (!batch) return std::vector<std::string>();
  return TextsOfRow(*execution.rows->schema(), *batch, 0);
}

Result<ExecuteRequest> MakeExecuteRequest(const SessionCore& core, const StatementRequest& request,
                                          Disposition with_links) {
  if (!request.settings.empty()) {
    return Status::NotImplemented(
        "settings of one statement: the Statement Execution API has them for sessions alone");
  }
  const Config& config = ConfigOf(core, request);
  ExecuteRequest wire;
  wire.statement = request.sql;
  wire.warehouse_id = config.endpoint.warehouse_id;
  wire.session_id = core.session_id();
  wire.query_tags = config.session.query_tags;
  // No wait_timeout, whatever the disposition: with one, services have answered with the first
  // piece of a larger result and no word of the rest.
  if (config.cloudfetch.enabled) {
    wire.disposition = with_links;
    wire.format = Format::kArrowStream;
    wire.lz4 = config.cloudfetch.lz4;
  } else {
    wire.disposition = Disposition::kInline;
    wire.format = Format::kJsonArray;
  }
  for (const StatementParameter& parameter : request.parameters) {
    wire.parameters.push_back({.name = parameter.name,
                               .ordinal = static_cast<int32_t>(wire.parameters.size()) + 1,
                               .type = parameter.type,
                               .value = parameter.value});
  }
  return wire;
}

Result<Execution> Execute(const std::shared_ptr<SessionCore>& core, const StatementRequest& request,
                          Cancellation* cancellation) {
  ASSIGN_OR_RETURN(Finished finished, Finish(core, request, cancellation));
  Execution execution;
  execution.statement_id = finished.statement->statement_id();
  execution.manifest = ManifestOf(finished.manifest);
  const Status status = AddResult(core, std::move(finished), execution, cancellation);
  if (!status.ok()) return status.WithStatementId(execution.statement_id);
  return execution;
}

}  // namespace dbx::sea

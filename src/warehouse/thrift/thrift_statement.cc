// SPDX-License-Identifier: Apache-2.0
#include "warehouse/thrift/thrift_statement.h"

#include <algorithm>
#include <utility>

#include "base/str_cat.h"
#include "result/inline_result.h"
#include "warehouse/thrift/opened_operation.h"
#include "warehouse/thrift/submission.h"
#include "warehouse/thrift/thrift_rows.h"
#include "warehouse/thrift/thrift_schema.h"

namespace dbx::thrift {
namespace {

// The next page is fetched while the reader works on this one; more would only cost memory.
constexpr size_t kPagesAhead = 1;
constexpr std::string_view kAffectedRows = "num_affected_rows";

std::string EscapeTag(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == ':' || c == ',') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

TSparkArrowTypes NativeTypes() {
  TSparkArrowTypes types;
  types.__set_timestampAsArrow(true);
  types.__set_decimalAsArrow(true);
  types.__set_complexTypesAsArrow(true);
  types.__set_intervalTypesAsArrow(true);
  types.__set_nullTypeAsArrow(true);
  return types;
}

std::vector<TSparkParameter> ToWire(const std::vector<StatementParameter>& parameters) {
  std::vector<TSparkParameter> wire;
  for (const StatementParameter& parameter : parameters) {
    TSparkParameter& added = wire.emplace_back();
    if (parameter.name.empty()) {
      added.__set_ordinal(static_cast<int32_t>(wire.size()));
    } else {
      added.__set_name(parameter.name);
    }
    added.__set_type(parameter.type);
    if (!parameter.value) continue;
    TSparkParameterValue value;
    value.__set_stringValue(*parameter.value);
    added.__set_value(value);
  }
  return wire;
}

const Config& ConfigOf(const SessionCore& core, const StatementRequest& request) {
  return request.config ? *request.config : core.config();
}

int64_t PageRows(const StatementConfig& config, const StatementRequest& request) {
  return std::max<int64_t>(1, request.max_rows.value_or(config.page_rows));
}

/// Sends the statement and waits for the reply; one that nobody waits for any more is ended in the
/// background.
Result<TExecuteStatementResp> Submit(const std::shared_ptr<SessionCore>& core,
                                     TExecuteStatementReq request, Cancellation* cancellation) {
  if (cancellation == nullptr) {
    return core->client().Call(kExecuteStatement, request, nullptr);
  }
  auto submission = std::make_shared<Submission>(core.get(), std::move(request));
  Result<TExecuteStatementResp> reply = submission->Wait(cancellation);
  if (!reply.ok() && !cancellation->status().ok()) {
    core->housekeeper().RunSoon([submission = std::move(submission)](Cancellation* limit) mutable {
      submission->Abandon(limit);
    });
  }
  return reply;
}

Result<OpenedOperation> Open(const std::shared_ptr<SessionCore>& core,
                             const StatementRequest& request, Cancellation* cancellation) {
  RETURN_IF_ERROR(core->lost());
  ASSIGN_OR_RETURN(TExecuteStatementReq wire, MakeExecuteRequest(*core, request));
  Result<TExecuteStatementResp> submitted = Submit(core, std::move(wire), cancellation);
  if (!submitted.ok()) return core->Note(submitted.status());
  TExecuteStatementResp& reply = *submitted;
  const TOperationHandle* const handle =
      reply.__isset.operationHandle ? &reply.operationHandle : nullptr;
  if (const Status status = core->Note(ToStatus(reply.status)); !status.ok()) {
    if (handle == nullptr) return status;
    const Operation failed(core, *handle);  // closes it
    return status.WithStatementId(failed.statement_id());
  }
  ASSIGN_OR_RETURN(
      OpenedOperation opened,
      CarryOn(core, handle, std::move(reply.directResults),
              PageRows(ConfigOf(*core, request).statement, request), request.config, cancellation));
  const TDBSqlSessionConf& conf = reply.sessionConf;  // comes with USE and SET
  if (conf.__isset.currentCatalog && conf.__isset.currentDatabase) {
    core->SetNames(conf.currentCatalog, conf.currentDatabase);
  }
  return opened;
}

Result<ResultManifest> ManifestOf(const OpenedOperation& opened, const Config& config) {
  const PageKind kind = KindOf(opened.first_page);
  const TGetResultSetMetadataResp& metadata = opened.metadata;
  const bool announces_columns =
      !metadata.__isset.resultFormat || metadata.resultFormat == TSparkRowSetType::COLUMN_BASED_SET;
  const bool columns =
      kind == PageKind::kColumns || (kind == PageKind::kEmpty && announces_columns);
  ResultManifest manifest;
  ASSIGN_OR_RETURN(manifest.schema,
                   SchemaOf(metadata, columns ? RowForm::kColumns : RowForm::kArrow,
                            ColumnTimezone(config.session.settings)));
  if (metadata.lz4Compressed) manifest.compression = Compression::kLz4Frame;
  manifest.truncated = metadata.truncatedByThriftLimit;
  return manifest;
}

/// Totals are known when the first page of links is the last one too.
void SetLinkTotals(const OpenedOperation& opened, ResultManifest& manifest) {
  if (opened.metadata.__isset.uncompressedBytes) {
    manifest.num_bytes = opened.metadata.uncompressedBytes;
  }
  if (HasMore(opened.first_page)) return;
  int64_t rows = 0;
  int64_t chunks = 0;
  for (const TSparkArrowResultLink& link : opened.first_page.results.resultLinks) {
    rows += link.rowCount;
    chunks += link.rowCount > 0 ? 1 : 0;
  }
  manifest.num_rows = rows;
  manifest.num_chunks = chunks;
}

bool IsLinkResult(const OpenedOperation& opened) {
  const PageKind kind = KindOf(opened.first_page);
  if (kind != PageKind::kEmpty) return kind == PageKind::kLinks;
  return HasMore(opened.first_page) && opened.metadata.__isset.resultFormat &&
         opened.metadata.resultFormat == TSparkRowSetType::URL_BASED_SET;
}

Status AddLinks(OpenedOperation opened, Execution& execution) {
  opened.operation->KeepAlive();
  ASSIGN_OR_RETURN(execution.links, MakeThriftLinkSource(std::move(opened.operation),
                                                         opened.first_page, opened.page_size));
  SetLinkTotals(opened, execution.manifest);  // of links that have been checked
  return Status::Ok();
}

Status AddRows(OpenedOperation opened, Execution& execution) {
  const bool more = HasMore(opened.first_page);
  if (more) opened.operation->KeepAlive();
  std::unique_ptr<PageSource> pages = MakeThriftPageSource(
      std::move(opened.operation), std::move(opened.first_page), opened.page_size);
  if (more) pages = MakePrefetchingPageSource(std::move(pages), kPagesAhead);
  execution.rows = MakeInlineStream(execution.manifest.schema, std::move(pages));
  if (execution.rows_affected) return Status::Ok();
  const auto& columns = opened.metadata.schema.columns;
  if (columns.empty() || columns.front().columnName != kAffectedRows) return Status::Ok();
  ASSIGN_OR_RETURN(execution.rows_affected, PeekInteger(&execution.rows, kAffectedRows));
  return Status::Ok();
}

}  // namespace

std::string FormatQueryTags(const std::map<std::string, std::string>& tags) {
  std::string text;
  for (const auto& [key, value] : tags) {
    if (!text.empty()) text.push_back(',');
    text += EscapeTag(key);
    if (!value.empty()) text += StrCat(":", EscapeTag(value));
  }
  return text;
}

TSparkGetDirectResults WantDirectResults(const StatementConfig& config, int64_t max_rows) {
  TSparkGetDirectResults direct;
  direct.maxRows = std::min(config.direct_result_rows, max_rows);
  direct.__set_maxBytes(config.direct_result_bytes);
  return direct;
}

Result<TExecuteStatementReq> MakeExecuteRequest(const SessionCore& core,
                                                const StatementRequest& request) {
  const Config& config = ConfigOf(core, request);
  TExecuteStatementReq wire;
  wire.sessionHandle = core.handle();
  wire.statement = request.sql;
  wire.__set_runAsync(true);
  wire.__set_queryTimeout(request.timeout.value_or(config.statement.query_timeout).count());
  wire.__set_getDirectResults(
      WantDirectResults(config.statement, PageRows(config.statement, request)));
  wire.__set_canReadArrowResult(true);
  wire.__set_canDownloadResult(config.cloudfetch.enabled &&
                               core.Speaks(TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V3));
  wire.__set_canDecompressLZ4Result(config.cloudfetch.lz4 &&
                                    core.Speaks(TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V6));
  if (core.Speaks(TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V5)) {
    wire.__set_useArrowNativeTypes(NativeTypes());
  }
  if (!request.parameters.empty()) {
    if (!core.Speaks(TProtocolVersion::SPARK_CLI_SERVICE_PROTOCOL_V8)) {
      return Status::NotImplemented("the server is too old for statement parameters");
    }
    wire.__set_parameters(ToWire(request.parameters));
  }
  std::map<std::string, std::string> overlay = request.settings;
  if (!config.session.query_tags.empty()) {
    overlay.emplace("query_tags", FormatQueryTags(config.session.query_tags));
  }
  if (!overlay.empty()) wire.__set_confOverlay(overlay);
  return wire;
}

Result<Execution> Execute(const std::shared_ptr<SessionCore>& core, const StatementRequest& request,
                          Cancellation* cancellation) {
  ASSIGN_OR_RETURN(OpenedOperation opened, Open(core, request, cancellation));
  Execution execution;
  execution.statement_id = opened.operation->statement_id();
  if (opened.status.__isset.numModifiedRows) {
    execution.rows_affected = opened.status.numModifiedRows;
  }
  const auto named = [&execution](const Status& failure) {
    return failure.WithStatementId(execution.statement_id);
  };
  Result<ResultManifest> manifest = ManifestOf(opened, ConfigOf(*core, request));
  if (!manifest.ok()) return named(manifest.status());
  execution.manifest = *std::move(manifest);
  const Status status = IsLinkResult(opened) ? AddLinks(std::move(opened), execution)
                                             : AddRows(std::move(opened), execution);
  if (!status.ok()) return named(status);
  return execution;
}

}  // namespace dbx::thrift

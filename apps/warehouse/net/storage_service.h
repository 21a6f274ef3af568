// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "net/faults.h"
#include "net/http_server.h"
#include "net/spool.h"

namespace dbx::local {

/// Answers what is asked of the storage listener: GET and HEAD of `/results/<name>?<signature>`, as
/// one of the large object stores does. Thread-safe; never blocks.
class StorageService {
 public:
  /// All of them outlive this.
  StorageService(const Spool& spool, const LinkSigner& signer, FaultScript& faults,
                 StorageFlavor flavor)
      : spool_(spool), signer_(signer), faults_(faults), flavor_(flavor) {}

  HttpReply Handle(const HttpRequest& request) const;

 private:
  HttpReply Answer(const HttpRequest& request, std::string_view name, bool expired_by_fault) const;
  HttpReply AnswerWithFault(const HttpRequest& request, std::string_view name,
                            FaultAction action) const;

  const Spool& spool_;
  const LinkSigner& signer_;
  FaultScript& faults_;
  const StorageFlavor flavor_;
};

}  // namespace dbx::local

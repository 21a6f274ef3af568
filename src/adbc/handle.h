// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <memory>
#include <utility>

#include "base/status.h"

namespace dbx {

/// What `private_data` of an AdbcDatabase, AdbcConnection or AdbcStatement points to.
///
/// The object lives until its last user has gone: a connection holds its database, a statement its
/// connection, and all may be released in any order. After a fork the child cannot use what the
/// parent made (threads and connections stayed there), so each handle remembers its process.
template <typename T>
struct Handle {
  std::shared_ptr<T> object;
  pid_t process = getpid();

  bool IsInherited() const { return process != getpid(); }
};

/// Makes the handle that a New function fills in.
template <typename T, typename Abi>
Status OpenHandle(Abi* abi, std::shared_ptr<T> object) {
  abi->private_data = new Handle<T>{std::move(object)};
  return Status::Ok();
}

/// The object of a handle. Errors: kInvalidState when it was never made, was released, or came with
/// a fork.
template <typename T, typename Abi>
Result<std::shared_ptr<T>> ObjectOf(const Abi* abi) {
  if (abi == nullptr || abi->private_data == nullptr) {
    return Status::InvalidState("this handle was not made yet or was released already");
  }
  const auto* const handle = static_cast<const Handle<T>*>(abi->private_data);
  if (handle->IsInherited()) {
    return Status::InvalidState(
        "this handle was made before a fork and belongs to the other process: make a new one here");
  }
  return handle->object;
}

/// Gives the handle's share of its object up. In a forked child the object is left alone: taking it
/// apart would wait for threads that only the parent has, and would close the parent's session.
template <typename T, typename Abi>
Status CloseHandle(Abi* abi) {
  if (abi == nullptr || abi->private_data == nullptr) {
    return Status::InvalidState("this handle was not made yet or was released already");
  }
  auto* const handle = static_cast<Handle<T>*>(std::exchange(abi->private_data, nullptr));
  if (handle->IsInherited()) return Status::Ok();
  delete handle;
  return Status::Ok();
}

}  // namespace dbx

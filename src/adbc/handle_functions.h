// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "adbc/connection.h"
#include "adbc/database.h"
#include "adbc/guard.h"
#include "adbc/handle.h"
#include "adbc/option_access.h"
#include "adbc/statement.h"
#include "arrow-adbc/adbc.h"

namespace dbx {

/// The class behind each C handle.
template <typename Abi>
struct ObjectBehind;
template <>
struct ObjectBehind<AdbcDatabase> {
  using Type = Database;
};
template <>
struct ObjectBehind<AdbcConnection> {
  using Type = Connection;
};
template <>
struct ObjectBehind<AdbcStatement> {
  using Type = Statement;
};

/// Runs `call` with the object of `abi` inside the guard: the body of nearly every function of the
/// driver.
template <typename Abi, typename Call>
AdbcStatusCode WithObject(const Abi* abi, AdbcError* error, Call&& call) noexcept {
  return Guard(error, [&]() -> Status {
    using Object = typename ObjectBehind<Abi>::Type;
    ASSIGN_OR_RETURN(const std::shared_ptr<Object> object, ObjectOf<Object>(abi));
    return call(*object);
  });
}

/// Functions that every handle has in the same form, for the driver's table.
template <typename Abi>
struct HandleFunctions {
  using Object = typename ObjectBehind<Abi>::Type;

  static AdbcStatusCode Release(Abi* abi, AdbcError* error) {
    return Guard(error, [&] { return CloseHandle<Object>(abi); });
  }

  static AdbcStatusCode Cancel(Abi* abi, AdbcError* error) {
    return WithObject(abi, error, [](Object& object) { return object.Cancel(); });
  }

  static AdbcStatusCode SetOption(Abi* abi, const char* key, const char* value, AdbcError* error) {
    return Set(abi, key, error,
               [&] { return value == nullptr ? TypedValue() : TypedValue(std::string(value)); });
  }

  static AdbcStatusCode SetOptionBytes(Abi* abi, const char* key, const uint8_t* value,
                                       size_t length, AdbcError* error) {
    return Set(abi, key, error, [&] {
      return value == nullptr
                 ? TypedValue()
                 : TypedValue(std::string(reinterpret_cast<const char*>(value), length));
    });
  }

  static AdbcStatusCode SetOptionInt(Abi* abi, const char* key, int64_t value, AdbcError* error) {
    return Set(abi, key, error, [&] { return TypedValue(value); });
  }

  static AdbcStatusCode SetOptionDouble(Abi* abi, const char* key, double value, AdbcError* error) {
    return Set(abi, key, error, [&] { return TypedValue(value); });
  }

  static AdbcStatusCode GetOption(Abi* abi, const char* key, char* value, size_t* length,
                                  AdbcError* error) {
    return Get(abi, key, length, ValueType::kText, error, [&](const TypedValue& found) {
      const std::string text = TextOf(found);
      return CopyOut(text.c_str(), text.size() + 1, value, length);
    });
  }

  static AdbcStatusCode GetOptionBytes(Abi* abi, const char* key, uint8_t* value, size_t* length,
                                       AdbcError* error) {
    return Get(abi, key, length, ValueType::kText, error, [&](const TypedValue& found) {
      const std::string text = TextOf(found);
      return CopyOut(text.data(), text.size(), value, length);
    });
  }

  static AdbcStatusCode GetOptionInt(Abi* abi, const char* key, int64_t* value, AdbcError* error) {
    return Get(abi, key, value, ValueType::kInt, error, [&](const TypedValue& found) -> Status {
      ASSIGN_OR_RETURN(*value, IntOf(key, found));
      return Status::Ok();
    });
  }

  static AdbcStatusCode GetOptionDouble(Abi* abi, const char* key, double* value,
                                        AdbcError* error) {
    return Get(abi, key, value, ValueType::kDouble, error, [&](const TypedValue& found) -> Status {
      ASSIGN_OR_RETURN(*value, DoubleOf(key, found));
      return Status::Ok();
    });
  }

 private:
  template <typename MakeValue>
  static AdbcStatusCode Set(Abi* abi, const char* key, AdbcError* error, MakeValue&& make) {
    return WithObject(abi, error, [&](Object& object) {
      if (key == nullptr) return Status::InvalidArgument("set option: no key");
      return object.SetOption(key, make());
    });
  }

  template <typename Out, typename Deliver>
  static AdbcStatusCode Get(Abi* abi, const char* key, Out* out, ValueType type, AdbcError* error,
                            Deliver&& deliver) {
    return WithObject(abi, error, [&](Object& object) -> Status {
      if (key == nullptr || out == nullptr) {
        return Status::InvalidArgument("get option: no key or nowhere to put the value");
      }
      ASSIGN_OR_RETURN(const TypedValue found, object.GetOption(key, type));
      return deliver(found);
    });
  }

  /// Writes all or nothing and says how much there is.
  static Status CopyOut(const void* value, size_t needed, void* out, size_t* length) {
    if (out != nullptr && *length >= needed && needed > 0) std::memcpy(out, value, needed);
    *length = needed;
    return Status::Ok();
  }
};

}  // namespace dbx

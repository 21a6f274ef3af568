// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <iostream>
#include <string>
#include <string_view>

#include "program.h"
#include "program_options.h"
#include "stop_signals.h"

namespace {

// Each stored file and each connection holds a descriptor.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void PrintProgress(std::string_view line) {
  std::cerr << std::string(line) + "\n" << std::flush;
}

}  // namespace

int main(int argc, char** argv) {
  const dbx::local::ParsedCommandLine command = dbx::local::ParseCommandLine(argc, argv);
  if (!command.options) {
    (command.exit_status == 0 ? std::cout : std::cerr) << command.text;
    return command.exit_status;
  }
  RaiseDescriptorLimit();
  dbx::local::StopSignals signals;
  dbx::Result<std::unique_ptr<dbx::local::Program>> program =
      dbx::local::Program::Start(*command.options, PrintProgress);
  if (!program.ok()) {
    PrintProgress("cloudfetch-warehouse: " + program.status().message());
    return 1;
  }
  std::cout << "READY " << (*program)->uri() << std::endl;
  signals.Wait();
  (*program)->Stop();
  return 0;
}

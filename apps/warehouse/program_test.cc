// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/str_cat.h"
#include "net/test_client.h"

namespace dbx::local {
namespace {

ParsedCommandLine Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "cloudfetch-warehouse");
  return ParseCommandLine(static_cast<int>(arguments.size()), arguments.data());
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A folder of the test's own.
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    std::string name = ::testing::TempDir() + "program-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~ProgramTest() override { std::filesystem::remove_all(folder_); }
  std::string Write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  ProgramOptions Options() const {
    ProgramOptions options = *Parse({"--listen", "127.0.0.1:0", "--token", "dapi1"}).options;
    options.data_directory = (folder_ / "data").string();
    return options;
  }

  std::filesystem::path folder_;
};

TEST_F(ProgramTest, ReadsTheCommandLine) {
  const ParsedCommandLine command =
      Parse({"--tpcds", "1,10", "--storage-flavor", "gcs", "--rate-total", "1000000"});
  ASSERT_TRUE(command.options) << command.text;
  EXPECT_EQ(command.options->tpcds_scales, (std::vector<int>{1, 10}));
  EXPECT_EQ(command.options->storage_flavor, StorageFlavor::kGcs);
  EXPECT_EQ(command.options->rate_total, 1'000'000U);
  EXPECT_TRUE(command.options->tokens.at(0).starts_with("dapi"));
  EXPECT_EQ(command.options->tokens.at(0).size(), 36U);
}

TEST_F(ProgramTest, RefusesWrongUse) {
  const std::vector<std::vector<const char*>> cases = {{"--tpcds", "7"},
                                                       {"--links-per-page", "0"},
                                                       {"--tls-cert", "f"},
                                                       {"--rate-total", "-1"},
                                                       {"--nothing"}};
  for (const auto& wrong : cases) {
    const ParsedCommandLine command = Parse(wrong);
    EXPECT_FALSE(command.options) << wrong.front();
    EXPECT_EQ(command.exit_status, 2) << wrong.front();
    EXPECT_FALSE(command.text.empty());
  }
  const ParsedCommandLine help = Parse({"--help"});
  EXPECT_EQ(help.exit_status, 0);
  EXPECT_NE(help.text.find("_connection_uri"), std::string::npos);
  EXPECT_EQ(help.text.find("serve-dir"), std::string::npos);
}

TEST_F(ProgramTest, TakesOptionsFromAFileUnlessTheyAreGiven) {
  const std::string file = Write(
      "c.toml",
      "first-byte-ms = 20\nlinks-per-page = 7\ntoken = [\"a\", \"b\"]\nresult-cache = true\n");
  const ParsedCommandLine command = Parse({"--config", file.c_str(), "--links-per-page", "9"});
  ASSERT_TRUE(command.options) << command.text;
  EXPECT_EQ(command.options->first_byte_ms, 20U);
  EXPECT_EQ(command.options->links_per_page, 9);
  EXPECT_EQ(command.options->tokens, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(command.options->result_cache);
  const std::string wrong = Write("w.toml", "first-bite-ms = 20\n");
  EXPECT_EQ(Parse({"--config", wrong.c_str()}).exit_status, 2);
}

TEST_F(ProgramTest, ServesAFolderAndTellsItsLinksAndPorts) {
  Write("files/a", "first");
  Write("files/b", "second");
  ProgramOptions options = Options();
  options.serve_directory = (folder_ / "files").string();
  options.serve_list_file = (folder_ / "links").string();
  options.port_file = (folder_ / "port").string();
  options.log_file = (folder_ / "log").string();
  options.log_headers = {"range"};
  Result<std::unique_ptr<Program>> program = Program::Start(options, [](std::string_view) {});
  ASSERT_TRUE(program.ok()) << program.status().ToString();

  std::istringstream links(ReadFile(folder_ / "links"));
  std::string first, second;
  std::getline(links, first);
  std::getline(links, second);
  TestClient storage((*program)->storage_port());
  EXPECT_EQ(storage.Get(second.substr(second.find("/results/")), "Range: bytes=0-2\r\n").body,
            "sec");

  const std::string uri =
      StrCat("http://token:dapi1@127.0.0.1:", (*program)->port(), "/sql/1.0/warehouses/local");
  EXPECT_EQ((*program)->uri(), uri);
  EXPECT_NE(ReadFile(folder_ / "port").find(uri), std::string::npos);
  TestClient control((*program)->port());
  EXPECT_NE(control.Get("/").body.find("cloudfetch-warehouse"), std::string::npos);
  EXPECT_EQ(control.Get("/api/2.0/sql/warehouses/local", "Authorization: Bearer dapi1\r\n").status,
            200);
  EXPECT_NE(control.Get("/__warehouse__/stats").body.find("\"gets\":1"), std::string::npos);
  (*program)->Stop();
  const std::string log = ReadFile(folder_ / "log");
  EXPECT_NE(log.find("\"headers\":{\"range\":\"bytes=0-2\"}"), std::string::npos);
  EXPECT_EQ(log.find("Signature"), std::string::npos);
  EXPECT_EQ(log.find("dapi1"), std::string::npos);
}

TEST_F(ProgramTest, RefusesAddressesOfOtherMachinesUnlessAllowed) {
  ProgramOptions options = Options();
  options.listen = "0.0.0.0:0";
  EXPECT_EQ(Program::Start(options, [](std::string_view) {}).status().code(),
            StatusCode::kInvalidArgument);
  options.allow_remote = true;
  Result<std::unique_ptr<Program>> program = Program::Start(options, [](std::string_view) {});
  ASSERT_TRUE(program.ok()) << program.status().ToString();
  TestClient control((*program)->port());
  EXPECT_EQ(control.Get("/__warehouse__/stats").status, 401);  // others may ask now
  EXPECT_EQ(control.Get("/__warehouse__/stats", "Authorization: Bearer dapi1\r\n").status, 200);
}

TEST_F(ProgramTest, ServesTls) {
  const TestCertificate certificate;
  ProgramOptions options = Options();
  options.tls_certificate_file = certificate.certificate_file();
  options.tls_key_file = certificate.key_file();
  Result<std::unique_ptr<Program>> program = Program::Start(options, [](std::string_view) {});
  ASSERT_TRUE(program.ok()) << program.status().ToString();
  EXPECT_TRUE((*program)->uri().starts_with("databricks://token:dapi1@127.0.0.1:"));
  EXPECT_NE(TlsGet((*program)->port(), certificate, "/.well-known/databricks-config")
                .find("https://127.0.0.1"),
            std::string::npos);
}

}  // namespace
}  // namespace dbx::local

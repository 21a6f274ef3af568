// SPDX-License-Identifier: Apache-2.0
#include "arrow/lz4_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "arrow/testing/lz4_writer.h"

namespace dbx {
namespace {

constexpr uint64_t kMaxBytes = 64 << 20;

/// Text that compresses, and whose repetitions lie up to 60,000 bytes apart, so that linked blocks
/// need history.
std::string CompressibleText(size_t num_bytes, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < num_bytes) {
    if (text.size() > 60000 && random() % 2 == 0) {
      text += text.substr(text.size() - 60000 + random() % 1000, 40);
    } else {
      text += std::to_string(random());
    }
  }
  text.resize(num_bytes);
  return text;
}

std::string AsString(const std::vector<uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

struct NamedLayout {
  const char* name;
  Lz4Layout layout;
};

const NamedLayout kLayouts[] = {
    {"Plain", {}},
    {"Checksums", {.checksums = true}},
    {"ContentSize", {.content_size = true}},
    {"SmallBlocks", {.small_blocks = true}},
    {"Linked", {.linked_blocks = true, .small_blocks = true}},
    {"LinkedChecksums", {.linked_blocks = true, .checksums = true, .small_blocks = true}},
    {"All", {.linked_blocks = true, .checksums = true, .content_size = true}},
};

class Lz4Layouts : public ::testing::TestWithParam<NamedLayout> {};

INSTANTIATE_TEST_SUITE_P(All, Lz4Layouts, ::testing::ValuesIn(kLayouts),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Lz4Layouts, DecodesFramesOneAfterAnother) {
  const std::string first = CompressibleText(300'000, 1);
  const std::string second = CompressibleText(70'001, 2);
  const std::string frames = Lz4Frames(first, GetParam().layout) +
                             Lz4Frames("", GetParam().layout) +
                             Lz4Frames(second, GetParam().layout);
  std::vector<uint8_t> out;
  ASSERT_TRUE(DecodeLz4Frames(AsBytes(frames), kMaxBytes, &out).ok());
  EXPECT_EQ(AsString(out), first + second);
}

/// Feeds pieces of `piece` bytes into `out`.
Status DecodeInPieces(std::string_view frames, size_t piece, std::span<uint8_t> out,
                      size_t* num_bytes) {
  Lz4FrameDecoder decoder;
  while (!frames.empty()) {
    const Bytes in = AsBytes(frames.substr(0, piece));
    ASSIGN_OR_RETURN(const Lz4FrameDecoder::Progress progress,
                     decoder.Decode(in, out.subspan(*num_bytes)));
    if (progress.consumed == 0) return Status::Internal("no progress");
    *num_bytes += progress.produced;
    frames.remove_prefix(progress.consumed);
  }
  return decoder.AtFrameEnd() ? Status::Ok() : Status::InvalidData("cut off");
}

TEST_P(Lz4Layouts, DecodesPiecesIntoOneBufferOfExactlyTheSize) {
  const std::string text = CompressibleText(300'000);
  const std::string frames = Lz4Frames(text, GetParam().layout);
  for (const size_t piece : {1, 7, 1000, 16'384, 1 << 20}) {
    std::vector<uint8_t> out(text.size());
    size_t num_bytes = 0;
    const Status status = DecodeInPieces(frames, piece, out, &num_bytes);
    ASSERT_TRUE(status.ok()) << status.ToString() << " piece " << piece;
    EXPECT_EQ(num_bytes, text.size());
    EXPECT_EQ(AsString(out), text);
  }
}

TEST_P(Lz4Layouts, DecodesIntoSegmentsThatMove) {
  const std::string text = CompressibleText(500'000);
  const std::string frames = Lz4Frames(text, GetParam().layout);
  std::mt19937 random(5);
  Lz4FrameDecoder decoder;
  std::vector<uint8_t> previous;
  std::string decoded;
  Bytes in = AsBytes(frames);
  while (!in.empty() || !decoder.AtFrameEnd()) {
    std::vector<uint8_t> segment(1 + random() % 90'000);
    const auto progress = decoder.Decode(in, segment, /*moved=*/true);
    ASSERT_TRUE(progress.ok()) << progress.status().ToString();
    in = in.subspan(progress->consumed);
    decoded.append(segment.begin(), segment.begin() + static_cast<int64_t>(progress->produced));
    std::fill(previous.begin(), previous.end(),
              uint8_t{0xEE});  // nothing may look back there any more
    previous = std::move(segment);
  }
  EXPECT_EQ(decoded, text);
}

/// Thousands of decoders with 4 MiB of memory each would take long.
Lz4Layout WithSmallBlocks(Lz4Layout layout) {
  layout.small_blocks = true;
  return layout;
}

TEST_P(Lz4Layouts, EveryPrefixIsCutOff) {
  const std::string frames = Lz4Frames(CompressibleText(3000), WithSmallBlocks(GetParam().layout));
  for (size_t size = 0; size < frames.size(); ++size) {
    std::vector<uint8_t> out;
    const std::string prefix = frames.substr(0, size);
    EXPECT_EQ(DecodeLz4Frames(AsBytes(prefix), kMaxBytes, &out).code(), StatusCode::kInvalidData)
        << size;
  }
}

TEST_P(Lz4Layouts, NoCorruptionCrashes) {
  const std::string frames = Lz4Frames(CompressibleText(2000), WithSmallBlocks(GetParam().layout));
  int num_failures = 0;
  for (size_t at = 0; at < frames.size(); ++at) {
    for (const char change : {'\x01', '\x80', '\xFF'}) {
      std::string corrupt = frames;
      corrupt[at] = static_cast<char>(corrupt[at] ^ change);
      std::vector<uint8_t> out;
      if (!DecodeLz4Frames(AsBytes(corrupt), kMaxBytes, &out).ok()) ++num_failures;
    }
  }
  EXPECT_GT(num_failures, 0);
  if (GetParam().layout.checksums) {
    EXPECT_EQ(num_failures, static_cast<int>(frames.size()) * 3);
  }
}

TEST(Lz4Frame, KnowsTheMagicNumber) {
  EXPECT_TRUE(HasLz4Magic(AsBytes(Lz4Frames("x"))));
  EXPECT_FALSE(HasLz4Magic(AsBytes("\xFF\xFF\xFF\xFF")));
  EXPECT_FALSE(HasLz4Magic(AsBytes("\x04\x22\x4D")));
}

TEST(Lz4Frame, RefusesGarbageAfterTheLastFrame) {
  std::vector<uint8_t> out;
  for (const std::string garbage :
       {"g", "garbage", "garbage that is longer than any header of a frame"}) {
    const std::string frames = Lz4Frames("rows") + garbage;
    EXPECT_EQ(DecodeLz4Frames(AsBytes(frames), kMaxBytes, &out).code(), StatusCode::kInvalidData)
        << garbage;
  }
}

TEST(Lz4Frame, RefusesMoreThanTheLimit) {
  const std::string frames = Lz4Frames(std::string(1'000'000, 'a'));
  std::vector<uint8_t> out;
  EXPECT_TRUE(DecodeLz4Frames(AsBytes(frames), 1'000'000, &out).ok());
  EXPECT_EQ(out.size(), 1'000'000U);
  EXPECT_EQ(DecodeLz4Frames(AsBytes(frames), 999'999, &out).code(), StatusCode::kInvalidData);
}

TEST(Lz4Frame, DoesNotBelieveAHugeContentSize) {
  std::string frames = Lz4Frames("rows", {.content_size = true});
  for (int i = 6; i < 13; ++i) frames[static_cast<size_t>(i)] = '\xFF';
  std::vector<uint8_t> out;
  EXPECT_FALSE(DecodeLz4Frames(AsBytes(frames), UINT64_MAX, &out).ok());
  EXPECT_LT(out.size(), 1U << 20);
}

TEST(Lz4Frame, FailsUntilItIsReset) {
  Lz4FrameDecoder decoder;
  std::vector<uint8_t> out(100);
  EXPECT_FALSE(decoder.Decode(AsBytes("not a frame at all"), out).ok());
  EXPECT_FALSE(decoder.AtFrameEnd());
  const std::string frames = Lz4Frames("rows");
  EXPECT_FALSE(decoder.Decode(AsBytes(frames), out).ok());
  decoder.Reset();
  const auto progress = decoder.Decode(AsBytes(frames), out);
  ASSERT_TRUE(progress.ok());
  EXPECT_EQ(progress->produced, 4U);
  EXPECT_TRUE(decoder.AtFrameEnd());
}

TEST(Lz4Frame, IsNotAtAFrameEndInsideAFrame) {
  const std::string frames = Lz4Frames(CompressibleText(1000));
  Lz4FrameDecoder decoder;
  std::vector<uint8_t> out(1000);
  EXPECT_TRUE(decoder.AtFrameEnd());
  ASSERT_TRUE(decoder.Decode(AsBytes(frames).first(3), out).ok());
  EXPECT_FALSE(decoder.AtFrameEnd());
}

TEST(Lz4Start, GivesMostOfAFrameThatIsCutInsideOfALongMatch) {
  std::string raw;  // numbers of 16 bytes with few that are not zero, some runs of them long
  for (uint32_t i = 0; i < 20'000; ++i) {
    raw += std::string(i % 7 == 0 ? 400 : 13, '\0') + std::to_string(i * 2'654'435'761U % 977);
  }
  const std::string frame = Lz4Frames(raw);
  for (size_t cut = 40; cut < 20'000; cut += 13) {
    std::vector<uint8_t> front;
    ASSERT_TRUE(DecodeLz4Start(AsBytes(frame).first(cut), raw.size(), &front).ok()) << cut;
    EXPECT_GT(front.size(), 0U) << cut;
    EXPECT_EQ(AsText(front), raw.substr(0, front.size())) << cut;
  }
}

TEST(Lz4Start, GivesTheFrontOfAFrameThatIsCutAnywhere) {
  std::string raw;
  for (int64_t i = 0; i < 200'000; ++i) raw += std::to_string(i * i);
  for (const Lz4Layout& layout :
       {Lz4Layout{}, Lz4Layout{.checksums = true, .content_size = true}}) {
    const std::string frame = Lz4Frames(raw, layout);
    for (const size_t cut : {size_t{40}, size_t{1000}, size_t{65536}, frame.size()}) {
      std::vector<uint8_t> front;
      ASSERT_TRUE(DecodeLz4Start(AsBytes(frame).first(cut), 5000, &front).ok()) << cut;
      EXPECT_GT(front.size(), std::min<size_t>(cut / 4, 4999));
      EXPECT_LE(front.size(), 5000);
      EXPECT_EQ(AsText(front), raw.substr(0, front.size())) << cut;
    }
    std::vector<uint8_t> front;
    EXPECT_EQ(DecodeLz4Start(AsBytes(frame).first(9), 10, &front).code(), StatusCode::kInvalidData);
  }
  std::vector<uint8_t> front;
  EXPECT_EQ(DecodeLz4Start(AsBytes("no frame at all"), 10, &front).code(),
            StatusCode::kInvalidData);
}

}  // namespace
}  // namespace dbx

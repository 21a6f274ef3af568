// SPDX-License-Identifier: Apache-2.0
#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "text.h"

namespace dbx::cli {
namespace {

constexpr int kLeastWidth = 6;
constexpr int kGap = 3;  // " │ "

std::vector<int> NaturalWidths(const Table& table) {
  std::vector<int> widths;
  widths.reserve(table.headings.size());
  for (const std::string& heading : table.headings) widths.push_back(DisplayWidth(heading));
  for (const std::vector<std::string>& row : table.rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  return widths;
}

int Total(const std::vector<int>& widths) {
  return std::accumulate(widths.begin(), widths.end(), 0) +
         kGap * std::max(0, static_cast<int>(widths.size()) - 1);
}

/// Drops columns from the right until the rest can fit, then takes cells from the widest.
void Squeeze(std::vector<int>& widths, int width) {
  auto least = [&] {
    int sum = kGap * (static_cast<int>(widths.size()) - 1);
    for (const int w : widths) sum += std::min(w, kLeastWidth);
    return sum;
  };
  while (widths.size() > 1 && least() > width) widths.pop_back();
  while (Total(widths) > width) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kLeastWidth) return;
    --*widest;
  }
}

void AppendCell(const std::string& text, int width, bool right, std::string& line) {
  const std::string fitted = Fit(text, width);
  const std::string blanks(static_cast<size_t>(std::max(0, width - DisplayWidth(fitted))), ' ');
  line += right ? blanks + fitted : fitted + blanks;
}

std::string Line(const Table& table, const std::vector<std::string>& cells,
                 const std::vector<int>& widths) {
  std::string line;
  for (size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) line += " │ ";
    AppendCell(cells[i], widths[i], i < table.right_aligned.size() && table.right_aligned[i], line);
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line + "\n";
}

std::string Rule(const std::vector<int>& widths) {
  std::string line;
  for (size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) line += "─┼─";
    for (int cell = 0; cell < widths[i]; ++cell) line += "─";
  }
  return line + "\n";
}

}  // namespace

std::string RenderTable(const Table& table, int width) {
  std::vector<int> widths = NaturalWidths(table);
  if (width > 0) Squeeze(widths, width);
  std::string text = Line(table, table.headings, widths) + Rule(widths);
  for (const std::vector<std::string>& row : table.rows) text += Line(table, row, widths);
  const size_t left_out = table.headings.size() - widths.size();
  if (left_out > 0) text += fmt::format("({} more columns do not fit)\n", left_out);
  return text;
}

}  // namespace dbx::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/keytables.h"

namespace muster::keytables {

namespace {

using enum KeyType;

constexpr SettingsKey rows[] = {
    {.name = "version",
     .type = Integer,
     .fallback = "1",
     .low = 1,
     .high = 1,
     .help = "Version of this document. Another one is refused and left as it is."},
    {.name = "name",
     .type = Text,
     .fallback = "\"\"",
     .example = "\"Prices in May\"",
     .help = "What people call the project; shown in titles and the list of projects."},

    {.name = "team", .type = Block, .help = "How many jobs are worked on at the same time."},
    {.name = "team.memberCap",
     .type = Integer,
     .unit = "jobs",
     .fallback = "1000",
     .low = 1,
     .high = 100000,
     .example = "500",
     .zero = "to stop, pause",
     .help = "The most jobs that have fired and are not yet retired."},
    {.name = "team.drawAhead",
     .type = Integer,
     .unit = "jobs",
     .fallback = "2000",
     .low = 1,
     .high = 1000000,
     .example = "5000",
     .zero = "to stop, pause",
     .help = "How many queued jobs are drawn from the project ahead of need."},
    {.name = "team.maxRetries",
     .type = Integer,
     .unit = "retries",
     .fallback = "3",
     .low = 0,
     .high = 100,
     .example = "5",
     .help = "Retries after the first try of a job; 0: one try only."},

    {.name = "input", .type = Block, .help = "How lists and tables are read."},
    {.name = "input.format",
     .type = Choice,
     .fallback = "\"auto\"",
     .words = "auto|lines|csv|sitemap",
     .laterWords = "sitemap",
     .example = "\"csv\"",
     .help = "Lines of URLs, or a table (CSV, TSV)."},
    {.name = "input.encoding",
     .type = Text,
     .fallback = "\"auto\"",
     .example = "\"windows-1252\"",
     .help = "Encoding of the input, or auto: BOM, else strict UTF-8, else what the bytes look like."},
    {.name = "input.separator",
     .type = Separator,
     .fallback = "\"auto\"",
     .words = "auto",
     .example = "\";\"",
     .help = "Between the columns of a table, or auto: from the header line."},
    {.name = "input.header",
     .type = Bool,
     .fallback = "true",
     .example = "false",
     .help = "The first line of a table names its columns."},
    {.name = "input.column",
     .type = Text,
     .fallback = "\"\"",
     .example = "\"link\"",
     .help = "The column that {url} stands for; empty: the one called url, else the only one."},
    {.name = "input.scheme",
     .type = Choice,
     .fallback = "\"https\"",
     .words = "http|https",
     .example = "\"http\"",
     .help = "What a line without a scheme gets."},
    {.name = "input.trim",
     .type = Bool,
     .fallback = "true",
     .example = "false",
     .help = "Blanks around a line or cell are dropped."},
};

} // namespace

std::span<const SettingsKey> base()
{
    return rows;
}

} // namespace muster::keytables

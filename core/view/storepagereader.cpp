// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/storepagereader.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/store/storereader.h"

namespace muster {

namespace {

RowLine lineOf(const RowView &view)
{
    RowLine line;
    line.row = view.row;
    line.state = view.state;
    line.notBefore = view.notBefore;
    line.host = view.host;
    line.url = view.url;
    line.request = requestText(view.url);
    line.code = view.code;
    line.kind = view.failure.kind;
    line.note = view.failure.note;
    line.attempts = view.attempts;
    line.tookMs = view.attempts > 0 ? view.timings.totalMs : -1;
    line.waitedMs = std::accumulate(view.waits.ms.begin(), view.waits.ms.end(), qint64(0));
    line.duplicateOf = view.duplicateOf;
    return line;
}

/// Adapter over StoreReader.
class StorePageReader final : public PageReader
{
public:
    explicit StorePageReader(std::unique_ptr<StoreReader> reader)
        : m_reader(std::move(reader))
    {}

    tl::expected<Selector, QString> parse(const QString &selector) override
    {
        auto parsed = Selector::parse(selector, m_fields);
        if (parsed)
            return *std::move(parsed);
        return tl::unexpected(sentence(parsed.error()));
    }
    StoreResult<qint64> count(const Selector &where) override { return m_reader->count(where); }
    StoreResult<QVector<qint64>> anchors(const Selector &where, int stride) override
    {
        return m_reader->anchors(where, stride);
    }
    StoreResult<QVector<RowLine>> page(const Selector &where, qint64 after, int most) override
    {
        const auto rows = m_reader->page(where, after, most);
        if (!rows)
            return tl::unexpected(rows.error());
        QVector<RowLine> lines;
        lines.reserve(rows->size());
        std::transform(rows->begin(), rows->end(), std::back_inserter(lines), lineOf);
        return lines;
    }

private:
    std::unique_ptr<StoreReader> m_reader;
    QVector<QByteArray> m_fields;
};

} // namespace

PageReaderFactory storePageReaders(const QString &path)
{
    return [path]() -> StoreResult<std::unique_ptr<PageReader>> {
        auto reader = StoreReader::open(path);
        if (!reader)
            return tl::unexpected(reader.error());
        return std::make_unique<StorePageReader>(*std::move(reader));
    };
}

} // namespace muster

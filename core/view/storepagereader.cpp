// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/storepagereader.h"

#include <algorithm>
#include <numeric>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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

QVector<QByteArray> fieldNames(const QByteArray &settings)
{
    QVector<QByteArray> names;
    for (const QJsonValue field :
         QJsonDocument::fromJson(settings).object().value(QLatin1String("fields")).toArray())
        names.append(field.toObject().value(QLatin1String("name")).toString().toUtf8());
    return names;
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
        // Read anew each time: fields may have been added while the window is open.
        const auto settings = m_reader->settings();
        auto parsed = Selector::parse(selector, settings ? fieldNames(*settings) : QVector<QByteArray>());
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

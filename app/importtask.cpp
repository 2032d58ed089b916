// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/importtask.h"

#include <future>
#include <optional>
#include <QDateTime>
#include <QSet>
#include <QThread>

#include "app/rowbelt.h"
#include "core/intake/template.h"
#include "core/job/describe.h"

namespace muster {

namespace {

constexpr int previewRequests = 10;
constexpr qsizetype previewIdentities = 1'000'000;

Utc wallClock()
{
    return utcFromMs(QDateTime::currentMSecsSinceEpoch());
}

/// The store's side of one import: keeps the first error, drops a batch that is not finished.
class BatchWriter final
{
public:
    explicit BatchWriter(const OnProject &onProject)
        : m_onProject(onProject)
    {}

    bool begin(const BatchInfo &info)
    {
        m_onProject([&](Project &p) { keep(p.beginImport(info, wallClock()), m_batch); });
        return !m_error;
    }

    bool add(const QVector<IntakeRow> &rows)
    {
        m_onProject([&](Project &p) {
            if (const auto added = p.addRows(m_batch, rows); !added)
                m_error = added.error();
        });
        return !m_error;
    }

    OrStop<ImportCounts> finish()
    {
        ImportCounts counts;
        if (!m_error)
            m_onProject([&](Project &p) { keep(p.finishImport(m_batch), counts); });
        if (m_error) {
            drop();
            return stopWith(*m_error);
        }
        return counts;
    }

    void drop()
    {
        if (m_batch > 0)
            m_onProject([&](Project &p) { static_cast<void>(p.dropImport(m_batch)); });
    }

    const std::optional<StoreError> &error() const { return m_error; }

private:
    template <typename T>
    void keep(const StoreResult<T> &result, T &into)
    {
        if (result)
            into = *result;
        else
            m_error = result.error();
    }

    const OnProject &m_onProject;
    qint64 m_batch = 0;
    std::optional<StoreError> m_error;
};

using ReadResult = tl::expected<Importer::Read, Problem>;

/// Reads on a thread of its own while this one writes down what was read.
ReadResult readAndWrite(const Settings &settings, QIODevice &device, const QString &source,
                        BatchWriter &writer, const std::atomic_bool &cancelled)
{
    RowBelt belt;
    std::promise<std::optional<BatchInfo>> begun; ///< nothing: there is no list at all
    std::optional<ReadResult> read;
    const std::unique_ptr<QThread> reader(QThread::create([&] {
        bool hasBegun = false;
        const Importer::Sink sink{[&](const BatchInfo &info) {
                                      hasBegun = true;
                                      begun.set_value(info);
                                      return true;
                                  },
                                  [&](QVector<IntakeRow> rows) { return belt.put(std::move(rows)); }};
        read = Importer(settings).read(device, source, sink);
        belt.finish();
        if (!hasBegun)
            begun.set_value(std::nullopt);
    }));
    reader->start();
    const std::optional<BatchInfo> info = begun.get_future().get();
    if (info && !writer.begin(*info))
        belt.stop();
    while (const auto rows = belt.take())
        if (writer.error() || cancelled.load() || !writer.add(*rows))
            belt.stop();
    reader->wait();
    return std::move(*read);
}

} // namespace

OrStop<ImportReport> importInto(const OnProject &onProject, const Settings &settings, QIODevice &device,
                                const QString &source, const std::atomic_bool &cancelled)
{
    BatchWriter writer(onProject);
    const ReadResult read = readAndWrite(settings, device, source, writer, cancelled);
    if (!read) {
        writer.drop();
        return stopWith(ExitCode::Unreadable, sentence(read.error()));
    }
    if ((read->cancelled || cancelled.load()) && !writer.error()) {
        writer.drop();
        return stopWith(ExitCode::Interrupted,
                        QStringLiteral("the import was cancelled; nothing of it was kept"));
    }
    const auto counts = writer.finish();
    if (!counts)
        return tl::unexpected(counts.error());
    return ImportReport{*counts, *read};
}

QStringList saidOf(const Importer::Read &read, qint64 duplicates, qint64 known)
{
    QStringList lines;
    for (const Problem &p : read.firstRefused)
        lines += sentence(p);
    const QString separator =
        read.info.separator.isEmpty() ? QString() : QStringLiteral(", separator ") + read.info.separator;
    lines += QStringLiteral("read as %1, %2%3").arg(read.info.format, read.info.encoding, separator);
    lines += QStringLiteral("%1 read: %2 new, %3, %4 known, %5 refused")
                 .arg(counted(read.rows, "row"))
                 .arg(read.rows - duplicates - known - read.refused)
                 .arg(counted(duplicates, "duplicate"))
                 .arg(known)
                 .arg(read.refused);
    return lines;
}

OrStop<Preview> previewOf(const Settings &settings, QIODevice &device, const QString &source)
{
    const auto compiled = RequestTemplate::compile(settings);
    if (!compiled)
        return stopWith(ExitCode::Unreadable, sentence(compiled.error().constFirst()));
    Preview preview;
    QSet<QByteArray> seen;
    InputColumns::Names names;
    const Importer::Sink sink{[&](const BatchInfo &info) {
                                  names = std::make_shared<const QVector<QByteArray>>(info.columns);
                                  return true;
                              },
                              [&](const QVector<IntakeRow> &rows) {
                                  for (const IntakeRow &row : rows) {
                                      if (!row.refused.isEmpty())
                                          continue;
                                      if (preview.firstRequests.size() < previewRequests)
                                          if (const auto made =
                                                  compiled->render(row.url, InputColumns(names, row.cells)))
                                              preview.firstRequests += made->method + ' ' + made->url.text;
                                      if (seen.contains(row.identity))
                                          ++preview.duplicates;
                                      else if (seen.size() < previewIdentities)
                                          seen.insert(row.identity);
                                  }
                                  return true;
                              }};
    auto read = Importer(settings).read(device, source, sink);
    if (!read)
        return stopWith(ExitCode::Unreadable, sentence(read.error()));
    preview.read = std::move(*read);
    return preview;
}

} // namespace muster

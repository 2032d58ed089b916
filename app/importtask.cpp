// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/importtask.h"

#include <QDateTime>
#include <QSet>

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

/// The store's side of one import: keeps the first error, so that the reader can be stopped by a plain false.
class BatchWriter final
{
public:
    BatchWriter(const OnProject &onProject, const std::atomic_bool &cancelled)
        : m_onProject(onProject)
        , m_cancelled(cancelled)
    {}

    Importer::Sink sink()
    {
        return {[this](const BatchInfo &info) {
                    m_onProject([&](Project &p) { keep(p.beginImport(info, wallClock()), m_batch); });
                    return !m_error;
                },
                [this](const QVector<IntakeRow> &rows) {
                    if (m_cancelled.load())
                        return false;
                    m_onProject([&](Project &p) {
                        if (const auto added = p.addRows(m_batch, rows); !added)
                            m_error = added.error();
                    });
                    return !m_error;
                }};
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
    const std::atomic_bool &m_cancelled;
    qint64 m_batch = 0;
    std::optional<StoreError> m_error;
};

} // namespace

OrStop<ImportReport> importInto(const OnProject &onProject, const Settings &settings, QIODevice &device,
                                const QString &source, const std::atomic_bool &cancelled)
{
    BatchWriter writer(onProject, cancelled);
    const auto read = Importer(settings).read(device, source, writer.sink());
    if (!read) {
        writer.drop();
        return stopWith(ExitCode::Unreadable, sentence(read.error()));
    }
    if (read->cancelled && !writer.error()) {
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

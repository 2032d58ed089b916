// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/rowmaker.h"

#include "core/intake/identity.h"

namespace muster {

namespace {

constexpr qsizetype batchRows = 5000;
constexpr qint64 batchBytes = 4 * 1024 * 1024; ///< rows may be long
constexpr qsizetype shownRefusals = 20;

} // namespace

Problem problemOf(const QString &place, const QString &sentence)
{
    const qsizetype at = sentence.lastIndexOf(QLatin1String("; "));
    if (at < 0)
        return {Problem::Severity::Error, place, sentence, QStringLiteral("correct it and import again")};
    return {Problem::Severity::Error, place, sentence.first(at), sentence.sliced(at + 2)};
}

RowMaker::RowMaker(const RequestTemplate &request, const Importer::Sink &sink, Importer::Read &read)
    : m_request(request)
    , m_usesUrl(request.usesUrl())
    , m_sink(sink)
    , m_read(read)
{}

void RowMaker::setColumns(const QVector<QByteArray> &names)
{
    m_names = std::make_shared<const QVector<QByteArray>>(names);
}

bool RowMaker::add(qint64 line, const QByteArray &url, const QVector<QByteArray> &cells)
{
    const auto request = m_request.render(url, InputColumns(m_names, cells));
    if (!request)
        return refuse(line, url, cells, request.error());
    IntakeRow row;
    row.line = line;
    row.url = m_usesUrl ? url : request->url.text;
    row.cells = cells;
    row.host = targetOf(request->url.text).host;
    row.identity = identityOf(*request);
    return append(std::move(row));
}

bool RowMaker::refuse(qint64 line, const QByteArray &url, const QVector<QByteArray> &cells,
                      const QString &why)
{
    ++m_read.refused;
    if (m_read.firstRefused.size() < shownRefusals)
        m_read.firstRefused.append(problemOf(QStringLiteral("line %1").arg(line), why));
    IntakeRow row;
    row.line = line;
    row.url = url;
    row.cells = cells;
    row.refused = why;
    return append(std::move(row));
}

bool RowMaker::append(IntakeRow row)
{
    ++m_read.rows;
    m_bytes += row.url.size();
    for (const QByteArray &cell : std::as_const(row.cells))
        m_bytes += cell.size();
    m_rows.append(std::move(row));
    return m_rows.size() < batchRows && m_bytes < batchBytes ? true : flush();
}

bool RowMaker::flush()
{
    if (m_rows.isEmpty())
        return true;
    m_bytes = 0;
    m_read.cancelled = !m_sink.rows(std::exchange(m_rows, {}));
    return !m_read.cancelled;
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/importer.h"

#include <optional>
#include <QTemporaryFile>

#include "core/intake/csvreader.h"
#include "core/intake/encodingfinder.h"
#include "core/intake/inputbytes.h"
#include "core/intake/linereader.h"
#include "core/intake/numbertext.h"
#include "core/intake/ranges.h"
#include "core/intake/rowmaker.h"
#include "core/intake/tableshape.h"
#include "core/intake/textbuffer.h"
#include "core/intake/trimmed.h"

namespace muster {

namespace {

constexpr qsizetype readSize = 128 * 1024;
constexpr QByteArrayView replacement("\xef\xbf\xbd"); // U+FFFD

using Done = tl::expected<void, Problem>;

tl::unexpected<Problem> failed(const QString &place, const QString &reason, const QString &mend)
{
    return tl::unexpected<Problem>(Problem{Problem::Severity::Error, place, reason, mend});
}

/// One import: the passes over the input, in order.
class Reading final
{
public:
    Reading(const Settings &settings, const QString &source, const Importer::Sink &sink,
            RequestTemplate request)
        : m_input(settings.input)
        , m_source(source)
        , m_sink(sink)
        , m_request(std::move(request))
        , m_rows(m_request, sink, m_read)
    {}

    tl::expected<Importer::Read, Problem> run(QIODevice &device);

private:
    Done spool(QIODevice &from, QTemporaryFile &to) const;
    Done findEncoding(QIODevice &device);
    Done readText(QIODevice &device);
    Done begin(const QVector<QByteArray> &columns);
    Done readLines();
    bool takeLine(qint64 number, QByteArrayView text);
    Done readTable(char separator);
    bool takeRow(CsvReader::Row &row);
    bool isDamaged(QByteArrayView text) const { return m_text->damaged() && text.contains(replacement); }
    Problem problem(const QString &sentence) const { return problemOf(m_source, sentence); }

    const InputSettings &m_input;
    const QString &m_source;
    const Importer::Sink &m_sink;
    RequestTemplate m_request;
    Importer::Read m_read;
    RowMaker m_rows;
    bool m_valid = false; ///< found to be UTF-8 through and through
    std::optional<TextBuffer> m_text;
    qsizetype m_url = -1; ///< column of `{url}`
    qsizetype m_columns = 0;
};

tl::expected<Importer::Read, Problem> Reading::run(QIODevice &device)
{
    m_read.info.source = m_source;
    QTemporaryFile copy;
    QIODevice *from = &device;
    if (device.isSequential()) { // there are two passes over it
        if (const Done done = spool(device, copy); !done)
            return tl::unexpected<Problem>(done.error());
        from = &copy;
    }
    const qint64 start = from->pos();
    Done done = findEncoding(*from);
    if (done && !from->seek(start))
        done = failed(m_source,
                      QStringLiteral("it could not be read a second time (%1)").arg(from->errorString()),
                      QStringLiteral("give a file, or standard input"));
    if (done)
        done = readText(*from);
    if (!done)
        return tl::unexpected<Problem>(done.error());
    return std::move(m_read);
}

Done Reading::spool(QIODevice &from, QTemporaryFile &to) const
{
    InputBytes bytes(from, InputBytes::Packed::AsIs);
    bool ok = to.open();
    while (ok) {
        const auto chunk = bytes.read(readSize);
        if (!chunk)
            return tl::unexpected<Problem>(problem(chunk.error()));
        if (chunk->isEmpty())
            break;
        ok = to.write(*chunk) == chunk->size();
    }
    if (ok && to.flush() && to.seek(0))
        return {};
    return failed(m_source, QStringLiteral("its copy could not be written (%1)").arg(to.errorString()),
                  QStringLiteral("make room where TMPDIR is, or give a file"));
}

/// The first pass. It also finds damage of gzip data before anything is handed on.
Done Reading::findEncoding(QIODevice &device)
{
    const QByteArray given = m_input.encoding.toUtf8();
    const bool found = m_input.encoding != QLatin1String("auto");
    if (found && !isKnownEncoding(given))
        return failed(QStringLiteral("input.encoding"),
                      QStringLiteral("\"%1\" is not an encoding that is known here").arg(m_input.encoding),
                      QStringLiteral("use auto, utf-8, gb18030, windows-1252 and so on"));
    InputBytes bytes(device);
    EncodingFinder finder;
    QByteArray head;
    while (true) {
        const auto chunk = bytes.read(readSize);
        if (!chunk)
            return tl::unexpected<Problem>(problem(chunk.error()));
        if (chunk->isEmpty())
            break;
        if (head.size() < 4)
            head += chunk->first(std::min<qsizetype>(4, chunk->size()));
        if (head.startsWith("PK\x03\x04"))
            return failed(m_source, QStringLiteral("this is a ZIP archive, perhaps a workbook"),
                          QStringLiteral("save the sheet as CSV and import that"));
        if (!found)
            finder.feed(*chunk);
        else if (!bytes.isPacked() && head.size() >= 4)
            break;
    }
    m_read.info.encoding = m_input.encoding;
    if (found)
        return {};
    const auto name = finder.finish();
    if (!name)
        return tl::unexpected<Problem>(problem(name.error()));
    m_read.info.encoding = QString::fromLatin1(*name);
    m_valid = finder.isValidUtf8();
    return {};
}

Done Reading::readText(QIODevice &device)
{
    InputBytes bytes(device);
    m_text.emplace(bytes, m_read.info.encoding.toUtf8(), m_valid);
    m_text->grow();
    const auto shape = shapeOf(m_text->rest(), m_source, m_input, !m_request.columns().isEmpty());
    Done done;
    if (!m_text->error().isEmpty())
        done = tl::unexpected<Problem>(problem(m_text->error()));
    else if (!shape)
        done = tl::unexpected<Problem>(shape.error());
    else
        done = shape->table ? readTable(shape->separator) : readLines();
    if (done && !m_read.cancelled)
        m_rows.flush();
    if (done && !m_text->error().isEmpty())
        done = tl::unexpected<Problem>(problem(m_text->error()));
    m_read.bytes = bytes.rawBytes();
    m_text.reset();
    return done;
}

/// The last moment at which the whole can be refused.
Done Reading::begin(const QVector<QByteArray> &columns)
{
    if (const QVector<QByteArray> missing = m_request.missingColumns(columns); !missing.isEmpty())
        return failed(
            QStringLiteral("request"),
            QStringLiteral("the template names the column \"%1\"; %2")
                .arg(QString::fromUtf8(missing.first()), m_read.info.format == QLatin1String("lines")
                                                             ? QStringLiteral("lines have no columns")
                                                             : listOfColumns(columns)),
            QStringLiteral("correct the name, or import a table that has it"));
    m_read.info.columns = columns;
    m_read.cancelled = !m_sink.begin(m_read.info);
    return {};
}

Done Reading::readLines()
{
    m_read.info.format = QStringLiteral("lines");
    if (m_request.columns().isEmpty() && !m_request.usesUrl())
        return failed(QStringLiteral("request.url"),
                      QStringLiteral("without {url} every line of the list would make the same request"),
                      QStringLiteral("put {url} where the line belongs"));
    if (const Done done = begin({}); !done || m_read.cancelled)
        return done;
    LineReader lines(*m_text);
    while (lines.next()) {
        bool go = true;
        if (lines.tooLong())
            go = m_rows.refuse(lines.number(), {}, {},
                               QStringLiteral("the line is longer than %1 bytes; shorten it")
                                   .arg(grouped(LineReader::maxLine)));
        else
            go = takeLine(lines.number(), lines.line());
        if (!go)
            return {};
    }
    return {};
}

bool Reading::takeLine(qint64 number, QByteArrayView text)
{
    if (m_input.trim)
        text = trimmedText(text);
    if (text.trimmed().isEmpty() || text.startsWith('#'))
        return true;
    QByteArray line = text.toByteArray();
    if (isDamaged(text))
        return m_rows.refuse(number, line, {},
                             QStringLiteral("the line has bytes that %1 does not know; set input.encoding")
                                 .arg(m_read.info.encoding));
    if (!text.contains('{'))
        return m_rows.add(number, line, {});
    auto ranges = Ranges::parse(text);
    if (!ranges)
        return m_rows.refuse(number, line, {}, ranges.error());
    while (ranges->next(line))
        if (!m_rows.add(number, line, {}))
            return false;
    return true;
}

Done Reading::readTable(char separator)
{
    m_read.info.format = QStringLiteral("csv");
    m_read.info.separator = separator == '\t' ? QStringLiteral("tab") : QString(QLatin1Char(separator));
    CsvReader reader(*m_text, separator, m_input.trim);
    CsvReader::Row row;
    bool have = reader.next(row);
    if (!have && !m_text->error().isEmpty())
        return tl::unexpected<Problem>(problem(m_text->error()));
    if (!have)
        return failed(m_source, QStringLiteral("it is empty"),
                      QStringLiteral("a table needs a line with its columns"));
    if (!row.refused.isEmpty()) {
        Problem wrong = problemOf(QStringLiteral("line %1").arg(row.line), row.refused);
        return tl::unexpected<Problem>(std::move(wrong));
    }
    const auto names =
        uniqueNames(m_input.header ? row.cells : QVector<QByteArray>(row.cells.size()), m_input.trim);
    if (m_request.usesUrl()) {
        const auto column = urlColumn(names, m_input.column);
        if (!column)
            return tl::unexpected<Problem>(column.error());
        m_url = *column;
    }
    if (const Done done = begin(names); !done || m_read.cancelled)
        return done;
    m_columns = names.size();
    m_rows.setColumns(names);
    if (m_input.header)
        have = reader.next(row);
    for (; have; have = reader.next(row))
        if (!takeRow(row))
            break;
    return {};
}

bool Reading::takeRow(CsvReader::Row &row)
{
    QString why = row.refused;
    while (row.cells.size() > m_columns && row.cells.last().isEmpty())
        row.cells.removeLast();
    if (row.cells.size() > m_columns) {
        why =
            QStringLiteral(
                "the row has %1 cells and the table %2 columns; put cells that hold the separator in quotes")
                .arg(row.cells.size())
                .arg(m_columns);
        row.cells.resize(m_columns);
    }
    for (const QByteArray &cell : std::as_const(row.cells))
        if (isDamaged(cell))
            why = QStringLiteral("the row has bytes that %1 does not know; set input.encoding")
                      .arg(m_read.info.encoding);
    QByteArray url = m_url >= 0 ? row.cells.value(m_url) : QByteArray();
    if (m_input.trim)
        url = trimmedText(url).toByteArray();
    return why.isEmpty() ? m_rows.add(row.line, url, row.cells)
                         : m_rows.refuse(row.line, url, row.cells, why);
}

} // namespace

Importer::Importer(const Settings &settings)
    : m_settings(settings)
{}

tl::expected<Importer::Read, Problem> Importer::read(QIODevice &device, const QString &source,
                                                     const Sink &sink) const
{
    auto request = RequestTemplate::compile(m_settings);
    if (!request)
        return tl::unexpected<Problem>(request.error().first());
    return Reading(m_settings, source, sink, std::move(*request)).run(device);
}

} // namespace muster

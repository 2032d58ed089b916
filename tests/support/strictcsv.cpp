// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/strictcsv.h"

#include <QStringDecoder>

namespace muster {

namespace {

/// One field from `at` on; leaves `at` at what follows it. False where the field is malformed.
bool takeField(const QByteArray &text, qsizetype &at, QByteArray &field)
{
    field.clear();
    if (at < text.size() && text[at] == '"') {
        for (++at; at < text.size(); ++at) {
            if (text[at] != '"') {
                field += text[at];
            } else if (at + 1 < text.size() && text[at + 1] == '"') {
                field += text[++at];
            } else {
                ++at;
                return true;
            }
        }
        return false; // never closed
    }
    for (; at < text.size() && text[at] != ',' && text[at] != '\r' && text[at] != '\n'; ++at) {
        if (text[at] == '"')
            return false;
        field += text[at];
    }
    return true;
}

} // namespace

StrictCsv StrictCsv::parse(const QByteArray &text)
{
    StrictCsv csv;
    QStringDecoder utf8(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = utf8(text);
    if (utf8.hasError())
        csv.problem = QStringLiteral("not UTF-8");
    QVector<QByteArray> record;
    QByteArray field;
    for (qsizetype at = 0; at < text.size() && csv.problem.isEmpty();) {
        if (!takeField(text, at, field)) {
            csv.problem = QStringLiteral("a quote out of place at byte %1").arg(at);
            break;
        }
        record += field;
        if (at < text.size() && text[at] == ',') {
            ++at;
            if (at == text.size())
                csv.problem = QStringLiteral("it ends after a comma");
            continue;
        }
        if (text.mid(at, 2) != "\r\n") {
            csv.problem = QStringLiteral("no CRLF after a field at byte %1").arg(at);
            break;
        }
        at += 2;
        if (csv.header.isEmpty())
            csv.header = record;
        else if (record.size() == csv.header.size())
            csv.rows += record;
        else
            csv.problem =
                QStringLiteral("record %1 has %2 fields").arg(csv.rows.size() + 1).arg(record.size());
        record.clear();
    }
    for (qsizetype i = 0; i < csv.header.size(); ++i) {
        if (csv.m_column.contains(csv.header[i]))
            csv.problem = QStringLiteral("two columns of one name");
        csv.m_column.insert(csv.header[i], i);
    }
    return csv;
}

QByteArray StrictCsv::cell(qsizetype row, const QByteArray &column) const
{
    const auto at = m_column.constFind(column);
    return at == m_column.constEnd() ? QByteArray("(no such column)") : rows[row][*at];
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/intake/importer.h"
#include "core/intake/template.h"

namespace muster {

/// Makes rows of what a reader found, counts them and hands them on in batches of bounded size. One thread;
/// lives as long as one import.
class RowMaker final
{
public:
    RowMaker(const RequestTemplate &request, const Importer::Sink &sink, Importer::Read &read);

    /// Column names of the rows to come; they stay empty for a list.
    void setColumns(const QVector<QByteArray> &names);
    /// Each returns false once the sink has cancelled.
    bool add(qint64 line, const QByteArray &url, const QVector<QByteArray> &cells);
    bool refuse(qint64 line, const QByteArray &url, const QVector<QByteArray> &cells, const QString &why);
    bool flush();

private:
    bool append(IntakeRow row);

    const RequestTemplate &m_request;
    bool m_usesUrl;
    const Importer::Sink &m_sink;
    Importer::Read &m_read;
    InputColumns::Names m_names;
    QVector<IntakeRow> m_rows;
    qint64 m_bytes = 0; ///< in m_rows
};

/// "reason; mend" as a problem of that place.
Problem problemOf(const QString &place, const QString &sentence);

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <QByteArray>
#include <QVector>

#include "core/job/moment.h"
#include "core/job/timings.h"

namespace muster {

/// The input columns of one row: names shared by the whole batch, cells of its own. UTF-8. Cheap to copy.
class InputColumns final
{
public:
    using Names = std::shared_ptr<const QVector<QByteArray>>;

    InputColumns() = default;
    InputColumns(Names names, QVector<QByteArray> cells);

    bool isEmpty() const { return m_cells.isEmpty(); }
    const QVector<QByteArray> &cells() const { return m_cells; }
    /// Empty where the row has no columns (a line of a list, a found page).
    const QVector<QByteArray> &names() const;
    /// The cell of the column called exactly `name`, or nothing where there is no such column. A row that is
    /// shorter than its header has empty cells at its end.
    std::optional<QByteArray> cell(QByteArrayView name) const;

private:
    Names m_names;
    QVector<QByteArray> m_cells;
};

/// One row as the team works on it: what to ask for and how often it was tried. A value, drawn from the
/// store; what becomes of it goes back as a Retired (core/store/jobstore.h).
struct Job
{
    qint64 row = 0;    ///< its number for ever, from 1
    qint64 batch = 0;  ///< 0 for found pages
    qint64 line = 0;   ///< line of the input, from 1; 0 for received URLs
    qint64 parent = 0; ///< the row whose answer brought it, 0 for imported ones
    qint64 origin = 0; ///< first row of its chain of next pages, else 0
    int page = 0;      ///< pages before it in its chain
    int depth = 0;     ///< links from an imported row
    int priority = 0;
    bool received = false; ///< its URL came from the net: the request is that URL, not the template

    QByteArray url; ///< the row's own spelling (imported), or the received URL with secrets by name
    InputColumns input;
    QByteArray host; ///< where it was filed: lower-case host, no port, no trailing dot

    int tries = 0;        ///< counted tries since it was last queued by a person
    int attempts = 0;     ///< all tries of this run
    int refusals = 0;     ///< times told to wait
    Utc notBefore{};      ///< epoch: at once
    Utc firstStartedAt{}; ///< of its first try in this run
    Waits waits;          ///< of its earlier tries in this run
};

} // namespace muster

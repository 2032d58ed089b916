// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/job.h"

namespace muster {

InputColumns::InputColumns(Names names, QVector<QByteArray> cells)
    : m_names(std::move(names))
    , m_cells(std::move(cells))
{}

const QVector<QByteArray> &InputColumns::names() const
{
    static const QVector<QByteArray> none;
    return m_names ? *m_names : none;
}

std::optional<QByteArray> InputColumns::cell(QByteArrayView name) const
{
    const QVector<QByteArray> &all = names();
    for (qsizetype i = 0; i < all.size(); ++i)
        if (all[i] == name)
            return i < m_cells.size() ? m_cells[i] : QByteArray();
    return std::nullopt;
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QVector>

#include "core/store/jobstore.h"
#include "core/store/selector.h"
#include "core/view/rowline.h"

namespace muster {

/// Port: what StoreRowSource needs of a project, blocking, used on its reader thread alone. Made there too:
/// a database connection belongs to the thread that opened it.
class PageReader
{
public:
    PageReader() = default;
    virtual ~PageReader() = default;
    Q_DISABLE_COPY_MOVE(PageReader)

    /// Text to terms; the error is one sentence.
    virtual tl::expected<Selector, QString> parse(const QString &selector) = 0;
    virtual StoreResult<qint64> count(const Selector &where) = 0;
    /// Row numbers at every `stride`-th place; index 0 is the first row.
    virtual StoreResult<QVector<qint64>> anchors(const Selector &where, int stride) = 0;
    /// Up to `most` rows with numbers above `after`, in row order.
    virtual StoreResult<QVector<RowLine>> page(const Selector &where, qint64 after, int most) = 0;
};

using PageReaderFactory = std::function<StoreResult<std::unique_ptr<PageReader>>()>;

} // namespace muster

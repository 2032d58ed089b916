// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/job/snapshot.h"

namespace muster {

/// The ledger as one bar and one line: "40,000 = ✓ 14,702 done ✕ 486 failed …". Every state with rows is
/// there, so that the line always adds up. Where the words do not fit, glyph and number stay and the words
/// move into the tool tip. GUI thread.
class LedgerBar final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LedgerBar)

public:
    explicit LedgerBar(QWidget *parent = nullptr);
    void set(const Ledger &ledger);
    /// The line as text, words included.
    QString line() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int lineWidth(bool words) const;

    Ledger m_ledger;
};

} // namespace muster

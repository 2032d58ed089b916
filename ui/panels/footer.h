// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/job/snapshot.h"

class QLabel;

namespace muster {

class Figure;
class LedgerBar;

/// The line at the foot of the window: how the crawl stands and until when, the ledger, the numbers of now.
/// GUI thread.
class Footer final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Footer)

public:
    explicit Footer(QWidget *parent = nullptr);
    void apply(const Snapshot &snapshot);
    void setReadOnly(bool readOnly);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void showState();
    void fit();
    QString stateDetail() const;

    Snapshot m_last;
    bool m_readOnly = false;
    QLabel *m_glyph = nullptr;
    QLabel *m_word = nullptr;
    QLabel *m_detail = nullptr;
    LedgerBar *m_ledger = nullptr;
    Figure *m_requests = nullptr;
    Figure *m_tokens = nullptr;
    Figure *m_failed = nullptr;
    Figure *m_bytes = nullptr;
};

} // namespace muster

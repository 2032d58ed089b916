// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace muster {

/// A list as text: pasted or typed, one URL a line or a CSV with its header. It stores nothing: `accepted`,
/// then text(). Opened, never executed. GUI thread.
class PasteDialog final : public QDialog
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PasteDialog)

public:
    explicit PasteDialog(const QString &text, QWidget *parent = nullptr);
    QString text() const;
    /// Lines that can be rows: neither blank nor a comment.
    static int rowsIn(const QString &text);

private:
    void count();

    QPlainTextEdit *m_edit = nullptr;
    QLabel *m_count = nullptr;
    QPushButton *m_add = nullptr;
};

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/pastedialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/style/type.h"
#include "ui/text/format.h"

namespace muster {

PasteDialog::PasteDialog(const QString &text, QWidget *parent)
    : QDialog(parent)
    , m_edit(new QPlainTextEdit(text, this))
    , m_count(new QLabel(this))
    , m_add(new QPushButton(this))
{
    setWindowTitle(tr("Add list"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *title = new QLabel(tr("Add a list"), this);
    title->setFont(type::title(font()));
    auto *hint = new QLabel(
        tr("One URL a line, or a CSV with its header line. Nothing is stored until you add."), this);
    hint->setForegroundRole(QPalette::PlaceholderText);
    m_edit->setFont(type::mono(font()));
    m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_edit->setTabChangesFocus(true);
    m_edit->setAccessibleName(tr("The list"));
    m_edit->setPlaceholderText(QStringLiteral("https://example.org/item/1"));
    auto *cancel = new QPushButton(tr("Cancel"), this);
    m_add->setProperty("muster.primary", true);
    m_add->setDefault(true);
    auto *foot = new QHBoxLayout;
    foot->setSpacing(8);
    foot->addWidget(m_count, 1);
    foot->addWidget(cancel);
    foot->addWidget(m_add);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    column->addWidget(title);
    column->addWidget(hint);
    column->addWidget(m_edit, 1);
    column->addLayout(foot);
    resize(type::scaled(font(), 640), type::scaled(font(), 400));
    connect(m_edit, &QPlainTextEdit::textChanged, this, &PasteDialog::count);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_add, &QPushButton::clicked, this, &QDialog::accept);
    count();
}

QString PasteDialog::text() const
{
    return m_edit->toPlainText();
}

int PasteDialog::rowsIn(const QString &text)
{
    int rows = 0;
    for (const QStringView line : QStringView(text).split(u'\n')) {
        const QStringView trimmed = line.trimmed();
        rows += !trimmed.isEmpty() && !trimmed.startsWith(u'#') ? 1 : 0;
    }
    return rows;
}

void PasteDialog::count()
{
    const int rows = rowsIn(text());
    m_add->setEnabled(rows > 0);
    m_add->setText(rows == 1 ? tr("Add 1 &line") : tr("Add %1 &lines").arg(format::count(rows)));
    m_count->setText(rows == 0 ? tr("No line yet") : QString());
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
// What comes in through the window: lists by dialog, paste and drop, keys, and its size. The rest is in
// mainwindow.cpp.
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>

#include "ui/dialogs/pastedialog.h"
#include "ui/mainactions.h"
#include "ui/mainwindow.h"
#include "ui/panels/statefilterpanel.h"
#include "ui/style/type.h"
#include "ui/widgets/docktitle.h"

namespace muster {

void MainWindow::openAddList()
{
    if (m_readOnly)
        return;
    auto *dialog = new QFileDialog(this, tr("Add list"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Lists and tables (*.txt *.csv *.tsv *.list *.gz)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::importRequested);
    dialog->open();
}

void MainWindow::openExport()
{
    auto *dialog = new QFileDialog(this, tr("Export"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("CSV (*.csv)"), tr("TSV (*.tsv)"), tr("JSON Lines (*.jsonl)")});
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        const qsizetype dot = filter.lastIndexOf(u'.');
        dialog->setDefaultSuffix(filter.mid(dot + 1).chopped(1));
    });
    const QString base = m_title.section(u'.', 0, -2);
    dialog->selectFile((base.isEmpty() ? tr("rows") : base) + QStringLiteral(".csv"));
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::exportRequested);
    dialog->open();
}

void MainWindow::pasteList(const QString &text)
{
    if (m_readOnly)
        return;
    auto *dialog = new PasteDialog(text, this);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { Q_EMIT importTextRequested(dialog->text()); });
    dialog->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const QMimeData *mime = event->mimeData();
    if (!m_readOnly && (mime->hasUrls() || mime->hasText()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QMimeData *mime = event->mimeData();
    QStringList links;
    bool files = false;
    for (const QUrl &url : mime->urls()) {
        if (url.isLocalFile()) {
            files = true;
            Q_EMIT importRequested(url.toLocalFile());
        } else {
            links.append(url.toString(QUrl::FullyEncoded));
        }
    }
    if (!links.isEmpty())
        pasteList(links.join(u'\n'));
    else if (!files && mime->hasText())
        pasteList(mime->text());
    event->acceptProposedAction();
}

void MainWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape)
        return QMainWindow::keyPressEvent(event);
    if (m_message->isShown())
        m_message->dismiss();
    else
        setFilter({});
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    Q_EMIT closing();
    event->accept();
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    setNarrow(width() < type::scaled(font(), 1080));
}

void MainWindow::setNarrow(bool narrow)
{
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    m_actions->setNarrow(narrow);
    m_filterBox->setFixedWidth(type::scaled(font(), narrow ? 190 : 252));
    layOutDocks();
}

void MainWindow::layOutDocks()
{
    m_filters->setFixedWidth(type::scaled(font(), m_narrow ? 150 : 208));
    for (QDockWidget *dock : {m_limitersDock, m_liveDock}) {
        removeDockWidget(dock);
        addDockWidget(Qt::RightDockWidgetArea, dock, Qt::Vertical);
        dock->setFloating(false);
        dock->show();
    }
    for (DockTitle *title : std::as_const(m_dockTitles))
        title->setFolded(m_narrow);
    if (m_narrow) {
        tabifyDockWidget(m_limitersDock, m_liveDock);
        m_limitersDock->raise();
    } else {
        splitDockWidget(m_limitersDock, m_liveDock, Qt::Vertical);
        resizeDocks({m_limitersDock, m_liveDock}, {type::scaled(font(), 440), type::scaled(font(), 200)},
                    Qt::Vertical);
    }
    resizeDocks({m_limitersDock}, {type::scaled(font(), m_narrow ? 292 : 308)}, Qt::Horizontal);
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/requestspanel.h"

#include <algorithm>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTableView>

#include "core/view/rowsource.h"
#include "ui/models/rowdelegate.h"
#include "ui/models/rowtablemodel.h"
#include "ui/style/type.h"
#include "ui/widgets/emptynote.h"

namespace muster {

RequestsPanel::RequestsPanel(QWidget *parent)
    : QWidget(parent)
    , m_model(new RowTableModel(this))
    , m_table(new QTableView(this))
    , m_note(new EmptyNote(this))
    , m_stack(new QStackedLayout(this))
{
    setUpTable();
    m_stack->setContentsMargins(0, 0, 0, 0);
    m_stack->addWidget(m_note);
    m_stack->addWidget(m_table);
    connect(m_note, &EmptyNote::pressed, this, [this] {
        if (m_model->filter().isEmpty())
            Q_EMIT addListWanted();
        else
            Q_EMIT clearFilterWanted();
    });
    connect(m_model, &RowTableModel::counted, this, [this](int rows) {
        showState(rows);
        showVisible();
        if (rows == 0)
            Q_EMIT settled();
    });
    connect(m_model, &RowTableModel::pageShown, this, &RequestsPanel::settled);
    connect(m_model, &RowTableModel::failed, this, [this](const QString &message) {
        Q_EMIT filterFailed(message);
        Q_EMIT settled();
    });
    showState(0);
}

RequestsPanel::~RequestsPanel()
{
    // A shown table moves its scroll bar while it is torn down, when this is no RequestsPanel any more.
    m_table->verticalScrollBar()->disconnect(this);
    m_model->disconnect(this);
}

void RequestsPanel::setUpTable()
{
    m_table->setModel(m_model);
    m_table->setItemDelegate(new RowDelegate(m_table));
    m_table->setAccessibleName(tr("Requests"));
    m_table->setProperty("muster.chrome", true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false); // Tab leaves the table
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QHeaderView *rows = m_table->verticalHeader();
    rows->hide();
    rows->setSectionResizeMode(QHeaderView::Fixed);
    rows->setMinimumSectionSize(1);
    rows->setDefaultSectionSize(type::scaled(font(), 26));
    QHeaderView *columns = m_table->horizontalHeader();
    columns->setHighlightSections(false);
    columns->setSectionsClickable(false);
    columns->setMinimumSectionSize(type::scaled(font(), 40));
    columns->setFixedHeight(type::scaled(font(), 26));
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, &RequestsPanel::showVisible);
    auto *copy = new QAction(tr("Copy URLs"), m_table);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &RequestsPanel::copyUrls);
    m_table->addAction(copy);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void RequestsPanel::apply(const Snapshot &snapshot)
{
    m_model->apply(snapshot);
}

void RequestsPanel::setSource(RowSource *source)
{
    m_model->setSource(source);
    showState(m_model->rowCount());
}

void RequestsPanel::setFilter(const QString &selector)
{
    m_model->setFilter(selector.trimmed());
}

QString RequestsPanel::filter() const
{
    return m_model->filter();
}

void RequestsPanel::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    showState(m_model->rowCount());
}

void RequestsPanel::showState(int rows)
{
    if (m_model->filter().isEmpty())
        m_note->set(QStringLiteral("drop"), tr("No URLs yet"),
                    m_readOnly
                        ? tr("Whoever has the project open for writing can add a list.")
                        : tr("Drop a list here, paste URLs with Ctrl+V, or choose a file: one URL a line, "
                             "or a CSV; also .gz."),
                    m_readOnly ? QString() : tr("Add list…"));
    else
        m_note->set(QStringLiteral("filter"), tr("No request matches"),
                    tr("The filter is %1").arg(m_model->filter()), tr("Clear filter"));
    m_stack->setCurrentIndex(rows > 0 ? 1 : 0);
}

void RequestsPanel::showVisible()
{
    const int high = m_table->verticalHeader()->defaultSectionSize();
    const int top = m_table->verticalScrollBar()->value() / std::max(1, high);
    m_model->setVisibleRows(top, top + m_table->viewport()->height() / std::max(1, high) + 1);
}

void RequestsPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitColumns();
    showVisible();
}

void RequestsPanel::fitColumns()
{
    const bool narrow = width() < type::scaled(font(), 620);
    m_table->setColumnHidden(RowTableModel::RowColumn, narrow);
    m_table->setColumnHidden(RowTableModel::HostColumn, narrow);
    m_table->setColumnHidden(RowTableModel::TimeColumn, narrow);
    const auto wide = [this](int pixels) { return type::scaled(font(), pixels); };
    const int room = width() - m_table->verticalScrollBar()->sizeHint().width();
    QVector<int> widths{wide(62), wide(narrow ? 112 : 116), wide(138), 0, wide(48), wide(70), wide(130)};
    if (width() > wide(1000)) {
        widths[RowTableModel::HostColumn] = wide(200);
        widths[RowTableModel::WaitColumn] = wide(200);
    }
    int used = 0;
    for (int column = 0; column < widths.size(); ++column)
        used += m_table->isColumnHidden(column) ? 0 : widths[column];
    widths[RowTableModel::RequestColumn] = std::max(wide(120), room - used);
    for (int column = 0; column < widths.size(); ++column)
        m_table->setColumnWidth(column, widths[column]);
}

void RequestsPanel::copyUrls() const
{
    QStringList urls;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
        if (const RowLine *line = m_model->lineAt(index.row()))
            urls.append(QString::fromUtf8(line->url));
    if (!urls.isEmpty())
        QGuiApplication::clipboard()->setText(urls.join(u'\n'));
}

} // namespace muster

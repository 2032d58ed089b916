// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/failurespanel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/icons/icons.h"
#include "ui/models/failuredelegate.h"
#include "ui/models/failuremodel.h"
#include "ui/style/type.h"
#include "ui/text/format.h"
#include "ui/widgets/emptynote.h"

namespace muster {

FailuresPanel::FailuresPanel(QWidget *parent)
    : QWidget(parent)
    , m_model(new FailureModel(this))
    , m_table(new QTableView(this))
    , m_summary(new QLabel(this))
    , m_show(new QPushButton(icons::icon(QStringLiteral("filter"), Role::Text2), tr("Sho&w the rows"), this))
    , m_retry(new QPushButton(icons::icon(QStringLiteral("retry"), Role::Text2), tr("&Retry all"), this))
    , m_note(new EmptyNote(this))
    , m_stack(new QStackedLayout(this))
{
    setUpTable();
    auto *page = new QWidget(this);
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHead());
    column->addWidget(m_table, 1);
    m_note->set(QStringLiteral("done"), tr("Nothing failed"),
                tr("Rows whose tries are used up are gathered here by kind and host."), {});
    m_stack->addWidget(m_note);
    m_stack->addWidget(page);
    connect(m_show, &QPushButton::clicked, this, &FailuresPanel::showSelected);
    connect(m_table, &QTableView::activated, this, &FailuresPanel::showSelected);
    connect(m_retry, &QPushButton::clicked, this, &FailuresPanel::retryFailedWanted);
    apply(Snapshot());
}

QWidget *FailuresPanel::makeHead()
{
    auto *head = new QWidget(this);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(8, 6, 6, 6);
    row->setSpacing(6);
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setWordWrap(true);
    m_retry->setToolTip(
        tr("All failed rows get their tries again; they pay the limits like any other request"));
    row->addWidget(m_summary, 1);
    row->addWidget(m_show);
    row->addWidget(m_retry);
    return head;
}

void FailuresPanel::setUpTable()
{
    m_table->setModel(m_model);
    m_table->setItemDelegate(new FailureDelegate(m_table));
    m_table->setAccessibleName(tr("Failures"));
    m_table->setProperty("muster.chrome", true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(type::scaled(font(), 50));
    QHeaderView *columns = m_table->horizontalHeader();
    columns->setHighlightSections(false);
    columns->setSectionsClickable(false);
    columns->setFixedHeight(type::scaled(font(), 26));
    columns->setSectionResizeMode(FailureModel::KindColumn, QHeaderView::Fixed);
    columns->setSectionResizeMode(FailureModel::MeaningColumn, QHeaderView::Stretch);
    columns->setSectionResizeMode(FailureModel::RowsColumn, QHeaderView::Fixed);
}

void FailuresPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const bool narrow = width() < type::scaled(font(), 620);
    m_table->setColumnWidth(FailureModel::KindColumn, type::scaled(font(), narrow ? 172 : 200));
    m_table->setColumnWidth(FailureModel::RowsColumn, type::scaled(font(), narrow ? 76 : 100));
}

QString FailuresPanel::summary() const
{
    const qint64 failed = m_ledger[JobState::Failed];
    const qint64 ended = failed + m_ledger[JobState::Done];
    const QString rows = failed == 1 ? tr("1 row failed") : tr("%1 rows failed").arg(format::count(failed));
    const qsizetype groups = m_model->groups().size();
    const QString in = groups == 1 ? tr("in 1 group") : tr("in %1 groups").arg(format::count(groups));
    return QStringLiteral("<b>%1</b> %2, %3")
        .arg(
            rows, in,
            tr("%1 of what has ended.").arg(format::percent(ended > 0 ? double(failed) / double(ended) : 0)));
}

void FailuresPanel::apply(const Snapshot &snapshot)
{
    m_ledger = snapshot.rows;
    m_model->set(snapshot.failures);
    const qint64 failed = m_ledger[JobState::Failed];
    if (const QString text = summary(); text != m_summary->text())
        m_summary->setText(text);
    m_retry->setText(tr("&Retry %1").arg(format::count(failed)));
    m_retry->setEnabled(!m_readOnly && failed > 0);
    m_show->setEnabled(!m_model->groups().isEmpty());
    m_stack->setCurrentIndex(m_model->groups().isEmpty() && failed == 0 ? 0 : 1);
    if (!m_table->currentIndex().isValid() && !m_model->groups().isEmpty())
        m_table->setCurrentIndex(m_model->index(0, 0));
}

void FailuresPanel::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    m_retry->setEnabled(!readOnly && m_ledger[JobState::Failed] > 0);
}

void FailuresPanel::showSelected()
{
    const int row = m_table->currentIndex().row();
    if (row >= 0 && row < m_model->groups().size())
        Q_EMIT showRowsWanted(selectorOf(m_model->groups()[row]));
}

} // namespace muster

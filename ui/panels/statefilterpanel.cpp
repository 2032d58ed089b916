// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/statefilterpanel.h"

#include <algorithm>
#include <array>
#include <QScopedValueRollback>
#include <QStandardItemModel>

#include "ui/models/filterdelegate.h"
#include "ui/style/type.h"
#include "ui/text/format.h"
#include "ui/text/words.h"

namespace muster {

namespace {

constexpr qsizetype mostKinds = 5;
constexpr qsizetype mostHosts = 8;

QString stateSelector(JobState state)
{
    return QStringLiteral("state:") + QLatin1String(jobStateName(state));
}

} // namespace

StateFilterPanel::StateFilterPanel(QWidget *parent)
    : QListView(parent)
    , m_model(new QStandardItemModel(this))
{
    setModel(m_model);
    setItemDelegate(new FilterDelegate(this));
    setAccessibleName(tr("Filters"));
    setProperty("muster.chrome", true);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Window);
    setViewportMargins(0, 6, 0, 6);
    apply(Snapshot());
    showFilter({});
}

QSize StateFilterPanel::sizeHint() const
{
    return {type::scaled(font(), 208), type::scaled(font(), 300)};
}

void StateFilterPanel::addStates(QVector<Line> &lines, const Ledger &ledger) const
{
    Line section;
    section.word = tr("State");
    section.section = true;
    section.choosable = false;
    lines.append(section);
    Line all;
    all.word = tr("All");
    all.count = format::count(ledger.takenIn());
    lines.append(all);
    for (const JobState state : allJobStates) {
        // States that not every list knows are shown once they have rows.
        const bool rare =
            state == JobState::Skipped || state == JobState::Duplicate || state == JobState::Refused;
        if (rare && ledger[state] == 0 && m_selector != stateSelector(state))
            continue;
        const Wording wording = words::of(state);
        Line line;
        line.word = wording.word;
        line.selector = stateSelector(state);
        line.glyph = wording.glyph;
        line.colour = wording.wordRole;
        line.count = format::count(ledger[state]);
        lines.append(line);
        if (state != JobState::Queued || ledger.waiting == 0)
            continue;
        const Wording retry = words::waitingToRetry();
        Line waiting;
        waiting.word = retry.word;
        waiting.brief = tr("To retry");
        waiting.glyph = retry.glyph;
        waiting.colour = retry.wordRole;
        waiting.count = format::count(ledger.waiting);
        waiting.toolTip = tr("Of the queued rows, those that wait for the time of their next try");
        waiting.choosable = false;
        waiting.indent = 1;
        lines.append(waiting);
    }
}

void StateFilterPanel::addKinds(QVector<Line> &lines, const QVector<FailureGroup> &failures) const
{
    std::array<qint64, failureKindCount> counts{};
    for (const FailureGroup &group : failures)
        counts[static_cast<std::size_t>(group.kind)] += group.count;
    QVector<FailureKind> kinds;
    for (std::size_t i = 1; i < failureKindCount; ++i)
        if (counts[i] > 0)
            kinds.append(static_cast<FailureKind>(i));
    if (kinds.isEmpty())
        return;
    const auto countOf = [&counts](FailureKind kind) { return counts[static_cast<std::size_t>(kind)]; };
    std::stable_sort(kinds.begin(), kinds.end(),
                     [&](FailureKind a, FailureKind b) { return countOf(a) > countOf(b); });
    Line section;
    section.word = tr("Failure kind");
    section.section = true;
    section.choosable = false;
    lines.append(section);
    qint64 rest = 0;
    for (qsizetype i = 0; i < kinds.size(); ++i) {
        if (kinds.size() > mostKinds && i >= mostKinds - 1) {
            rest += countOf(kinds[i]);
            continue;
        }
        Line line;
        line.word = words::of(kinds[i]);
        line.selector = QStringLiteral("kind:") + QLatin1String(failureKindName(kinds[i]));
        line.count = format::count(countOf(kinds[i]));
        line.toolTip = words::meaning(kinds[i]);
        lines.append(line);
    }
    if (rest == 0)
        return;
    Line more;
    more.word = tr("%1 more kinds").arg(kinds.size() - (mostKinds - 1));
    more.count = format::count(rest);
    more.choosable = false;
    more.toolTip = tr("The tab Failures has them all");
    lines.append(more);
}

void StateFilterPanel::addHosts(QVector<Line> &lines, const QVector<HostView> &hosts) const
{
    if (hosts.isEmpty())
        return;
    Line section;
    section.word = tr("Host");
    section.section = true;
    section.choosable = false;
    lines.append(section);
    for (const HostView &host : hosts.first(std::min(hosts.size(), mostHosts))) {
        Line line;
        line.word = QString::fromUtf8(host.host);
        line.selector = QStringLiteral("host:") + line.word;
        line.count = format::count(host.waiting + host.inFlight);
        line.toolTip = host.reason.isEmpty() ? tr("%1: waiting in the team and in flight").arg(line.word)
                                             : line.word + QStringLiteral(": ") + host.reason;
        if (host.state != HostState::Open) {
            const Wording wording = words::of(host.state);
            line.glyph = wording.glyph;
            line.colour = wording.wordRole;
        }
        lines.append(line);
    }
}

QVector<StateFilterPanel::Line> StateFilterPanel::lines(const Snapshot &snapshot) const
{
    QVector<Line> all;
    addStates(all, snapshot.rows);
    addKinds(all, snapshot.failures);
    addHosts(all, snapshot.hosts);
    return all;
}

void StateFilterPanel::put(int row, const Line &line)
{
    QStandardItem *item = m_model->item(row);
    if (!item) {
        item = new QStandardItem;
        m_model->setItem(row, item);
    }
    const auto set = [item](const QVariant &value, int role) {
        if (item->data(role) != value)
            item->setData(value, role);
    };
    set(line.word, Qt::DisplayRole);
    set(line.brief, FilterDelegate::ShortRole);
    set(line.selector, FilterDelegate::SelectorRole);
    set(line.glyph, FilterDelegate::GlyphRole);
    set(int(line.colour), FilterDelegate::ColourRole);
    set(line.count, FilterDelegate::CountRole);
    set(line.section, FilterDelegate::SectionRole);
    set(line.indent, FilterDelegate::IndentRole);
    const QString &tip = line.toolTip.isEmpty() ? line.word : line.toolTip;
    set(QStringLiteral("<qt>%1</qt>").arg(tip.toHtmlEscaped()), Qt::ToolTipRole);
    set(line.count.isEmpty() ? line.word : tr("%1, %2 rows").arg(line.word, line.count),
        Qt::AccessibleTextRole);
    const Qt::ItemFlags flags = line.choosable ? Qt::ItemIsEnabled | Qt::ItemIsSelectable
                                               : (line.section ? Qt::NoItemFlags : Qt::ItemIsEnabled);
    if (item->flags() != flags)
        item->setFlags(flags);
}

void StateFilterPanel::apply(const Snapshot &snapshot)
{
    const QScopedValueRollback<bool> guard(m_applying, true);
    const QVector<Line> now = lines(snapshot);
    for (int row = 0; row < now.size(); ++row)
        put(row, now[row]);
    if (m_model->rowCount() > now.size())
        m_model->removeRows(int(now.size()), m_model->rowCount() - int(now.size()));
    showFilter(m_selector); // lines may have come before the chosen one
}

void StateFilterPanel::showFilter(const QString &selector)
{
    const QScopedValueRollback<bool> guard(m_applying, true);
    m_selector = selector;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        if (!(index.flags() & Qt::ItemIsSelectable) ||
            index.data(FilterDelegate::SelectorRole).toString() != selector)
            continue;
        if (currentIndex() != index)
            setCurrentIndex(index);
        return;
    }
    setCurrentIndex({});
}

void StateFilterPanel::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QListView::currentChanged(current, previous);
    if (m_applying || !current.isValid() || !(current.flags() & Qt::ItemIsSelectable))
        return;
    m_selector = current.data(FilterDelegate::SelectorRole).toString();
    Q_EMIT chosen(m_selector);
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/orders.h"

#include <QStringList>

#include "core/intake/identity.h"
#include "core/intake/tableshape.h"
#include "core/store/storereader.h"

namespace muster {

Orders ordersFrom(const Checked &checked)
{
    Orders orders;
    orders.settings = checked.settings;
    orders.rules = checked.rules;
    orders.makeRequest = [t = *checked.requestTemplate](const Job &job) -> tl::expected<Request, Failure> {
        auto made =
            job.received ? t.renderReceived(job.url, job.input, job.page > 0) : t.render(job.url, job.input);
        if (made)
            return std::move(*made);
        Failure failure;
        failure.note = made.error();
        return tl::unexpected(failure);
    };
    return orders;
}

namespace {

tl::unexpected<Stop> stopWith(const Problems &problems)
{
    QStringList lines;
    for (const Problem &p : problems)
        if (p.severity == Problem::Severity::Error)
            lines += sentence(p);
    return muster::stopWith(ExitCode::Unreadable, lines.join(QLatin1Char('\n')));
}

} // namespace

OrStop<Checked> checkedOrStop(const QByteArray &document)
{
    Checked checked = checkDocument(document);
    if (!checked.ok())
        return stopWith(checked.problems);
    return checked;
}

OrStop<Checked> checkedFor(const QString &project, const QByteArray &document)
{
    auto checked = checkedOrStop(document);
    if (!checked)
        return checked;
    const auto reader = StoreReader::open(project);
    const auto ledger = reader ? (*reader)->ledger() : tl::unexpected(reader.error());
    const auto columns = ledger ? (*reader)->inputColumns() : tl::unexpected(ledger.error());
    if (!columns)
        return muster::stopWith(columns.error());
    if (ledger->imported > 0)
        if (const Problems problems = checkBeside(*checked, *columns); hasErrors(problems))
            return stopWith(problems);
    return checked;
}

bool sameTemplate(const Settings &a, const Settings &b)
{
    return a.request.url == b.request.url && a.request.method == b.request.method &&
           a.request.body == b.request.body && a.request.headers == b.request.headers &&
           a.request.duplicates == b.request.duplicates && a.input.column == b.input.column &&
           a.input.scheme == b.input.scheme;
}

IntakeRow renderedAnew(const Checked &checked, const Job &job)
{
    const RequestTemplate &requestTemplate = *checked.requestTemplate;
    IntakeRow row;
    row.line = job.line;
    row.url = job.url;
    if (requestTemplate.usesUrl() && !job.input.isEmpty()) {
        // The stored URL may be one that an earlier template rendered; the row's own is in its cell.
        const auto column = urlColumn(job.input.names(), checked.settings.input.column);
        if (!column) {
            row.refused = sentence(column.error());
            return row;
        }
        row.url = job.input.cells().value(*column);
    }
    const auto made = requestTemplate.render(row.url, job.input);
    if (!made) {
        row.refused = made.error();
        return row;
    }
    if (!requestTemplate.usesUrl())
        row.url = made->url.text;
    row.host = targetOf(made->url.text).host;
    row.identity = identityOf(*made);
    return row;
}

} // namespace muster

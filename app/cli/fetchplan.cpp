// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/fetchplan.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "app/console.h"

namespace muster::cli {

namespace {

OrStop<QJsonArray> fieldsOf(const std::vector<std::string> &fields)
{
    QJsonArray out;
    for (const std::string &f : fields) {
        const std::size_t equals = f.find('=');
        const std::size_t colon = equals == std::string::npos ? equals : f.find(':', equals);
        if (equals == std::string::npos || equals == 0 || colon == std::string::npos)
            return stopWith(ExitCode::Usage,
                            QStringLiteral("--field %1: expected NAME=KIND:EXPR, for example "
                                           "price=jsonpath:$.price")
                                .arg(text(f)));
        out.append(QJsonObject{{QStringLiteral("name"), text(f.substr(0, equals))},
                               {QStringLiteral("from"), text(f.substr(equals + 1, colon - equals - 1))},
                               {QStringLiteral("expr"), text(f.substr(colon + 1))}});
    }
    return out;
}

/// `everything` and `each-host`, as spec 10 has them when any limit is given.
QJsonArray limitersOf(const FetchOptions &o)
{
    QJsonObject host{{QStringLiteral("name"), QStringLiteral("each-host")},
                     {QStringLiteral("match"), QStringLiteral("*")},
                     {QStringLiteral("scope"), QStringLiteral("host")}};
    host.insert(QStringLiteral("rate"), o.rate.empty() ? QStringLiteral("unlimited") : text(o.rate));
    if (o.burst)
        host.insert(QStringLiteral("burst"), static_cast<qint64>(*o.burst));
    if (o.perHost)
        host.insert(QStringLiteral("atOnce"), static_cast<qint64>(*o.perHost));
    return {QJsonObject{{QStringLiteral("name"), QStringLiteral("everything")},
                        {QStringLiteral("match"), QStringLiteral("*")},
                        {QStringLiteral("scope"), QStringLiteral("all")},
                        {QStringLiteral("atOnce"), static_cast<qint64>(o.atOnce.value_or(64))}},
            host};
}

QString limitsSaid(const FetchOptions &o)
{
    if (!o.setsLimits())
        return QStringLiteral("Limits: 64 at once over all, 1/s and 2 at once for each host (the defaults; "
                              "--rate, --at-once and "
                              "--per-host change them).");
    QString host = o.rate.empty() ? QStringLiteral("no rate") : text(o.rate);
    if (o.burst)
        host += QStringLiteral(" with bursts of %1").arg(*o.burst);
    host += o.perHost ? QStringLiteral(", %1 at once").arg(*o.perHost)
                      : QStringLiteral(", no limit of its own at once");
    return QStringLiteral("Limits: %1 at once over all; for each host %2.")
        .arg(o.atOnce.value_or(64))
        .arg(host);
}

} // namespace

OrStop<FetchPlan> planOf(const FetchOptions &o)
{
    QJsonObject document{{QStringLiteral("version"), 1}};
    if (!o.requestTemplate.empty())
        document.insert(QStringLiteral("request"),
                        QJsonObject{{QStringLiteral("url"), text(o.requestTemplate)}});
    if (o.timeout) {
        QJsonObject request = document.value(QStringLiteral("request")).toObject();
        request.insert(QStringLiteral("totalTimeout"), *o.timeout);
        document.insert(QStringLiteral("request"), request);
    }
    if (!o.column.empty())
        document.insert(QStringLiteral("input"), QJsonObject{{QStringLiteral("column"), text(o.column)}});
    if (o.retries)
        document.insert(QStringLiteral("team"),
                        QJsonObject{{QStringLiteral("maxRetries"), static_cast<qint64>(*o.retries)}});
    if (o.setsLimits())
        document.insert(QStringLiteral("limiters"), limitersOf(o));
    const auto fields = fieldsOf(o.fields);
    if (!fields)
        return tl::unexpected(fields.error());
    if (!fields->isEmpty())
        document.insert(QStringLiteral("fields"), *fields);
    return FetchPlan{QJsonDocument(document).toJson(QJsonDocument::Compact), limitsSaid(o)};
}

} // namespace muster::cli

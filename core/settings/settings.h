// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QVector>

namespace muster {

/// The settings document of a project as values (spec 11). Durations are seconds as in the document. The
/// member names follow the keys; the table of keys (settingskeys.h) is the one place that knows defaults and
/// ranges, and these initialisers are tested against it. Blocks whose code comes later are kept as JSON.
struct TeamSettings
{
    int memberCap = 1000;
    int drawAhead = 2000;
    int maxRetries = 3;
    bool operator==(const TeamSettings &) const = default;
};

struct InputSettings
{
    QString format = QStringLiteral("auto");
    QString encoding = QStringLiteral("auto");
    QString separator = QStringLiteral("auto");
    bool header = true;
    QString column;
    QString scheme = QStringLiteral("https");
    bool trim = true;
    bool operator==(const InputSettings &) const = default;
};

struct FallbackSettings
{
    QVector<int> on;
    QString method;
    bool operator==(const FallbackSettings &) const = default;
};

struct TlsException
{
    QString host;
    QString sha256;
    QString until;
    bool operator==(const TlsException &) const = default;
};

struct RequestSettings
{
    QString url = QStringLiteral("{url}");
    QString method = QStringLiteral("GET");
    QVector<std::pair<QString, QString>> headers; ///< in the order of the document
    QString body;
    std::optional<FallbackSettings> fallback;
    QString read = QStringLiteral("whole"); ///< whole, headers, or KiB as digits
    QString userAgent;
    QString contact;
    double connectTimeout = 10;
    double firstByteTimeout = 20;
    double silenceTimeout = 20;
    double totalTimeout = 60;
    double maxBodyMiB = 10;
    int redirects = 10;
    QVector<QString> accept{QStringLiteral("2xx")};
    bool idempotent = false;
    QString allowPrivate = QStringLiteral("listed");
    QString duplicates = QStringLiteral("share");
    QVector<TlsException> tlsExceptions;
    bool operator==(const RequestSettings &) const = default;
};

struct RetrySettings
{
    QVector<QString> statuses; ///< "408", "520-524"
    double base = 1;
    double factor = 2;
    double max = 60;
    QString jitter = QStringLiteral("full");
    int budgetPercent = 20;
    double parkAfter = 86400;
    RetrySettings();
    bool covers(int status) const;
    bool operator==(const RetrySettings &) const = default;
};

/// One entry of `limiters`. Absent: no such rule.
struct LimiterSettings
{
    QString name;
    QString match = QStringLiteral("*");
    QString scope = QStringLiteral("all"); ///< all, host, site; proxy comes later
    std::optional<QString> rate;           ///< "10/s", "1/7s"; absent or "unlimited": none
    qint64 burst = 1;
    QString start = QStringLiteral("empty");
    qint64 cost = 1;
    QString costColumn; ///< where set, the cost is that input column's
    std::optional<qint64> atOnce;
    bool enabled = true;
    bool operator==(const LimiterSettings &) const = default;
};

struct ErrorCondition
{
    QString jsonpath, pointer, regex, status; ///< those that are set must all hold
    std::optional<QJsonValue> equals;
    QString matches;
    std::optional<bool> exists;
    std::optional<double> below, above;
    bool operator==(const ErrorCondition &) const = default;
};

struct ErrorRuleSettings
{
    ErrorCondition when;
    QString treatAs = QStringLiteral("error_rule");
    bool operator==(const ErrorRuleSettings &) const = default;
};

struct FieldSettings
{
    QString name;
    QString of = QStringLiteral("record");
    QString from = QStringLiteral("jsonpath");
    QString expr;
    QString take = QStringLiteral("first");
    QString missing = QStringLiteral("empty");
    QString defaultValue; ///< key `default`
    QString join = QStringLiteral("; ");
    int group = 0;
    QString type = QStringLiteral("text");
    QString locale;
    QString match = QStringLiteral("*");
    bool operator==(const FieldSettings &) const = default;
};

struct ExportSettings
{
    QVector<QString> columns{QStringLiteral("@fixed"), QStringLiteral("@input"), QStringLiteral("@fields")};
    QString separator = QStringLiteral(",");
    bool bom = false;
    bool guard = true;
    bool operator==(const ExportSettings &) const = default;
};

struct Settings
{
    int version = 1;
    QString name;
    TeamSettings team;
    InputSettings input;
    RequestSettings request;
    RetrySettings retry;
    QVector<LimiterSettings> limiters; ///< the two defaults where the key is absent
    QVector<ErrorRuleSettings> errorRules;
    QVector<FieldSettings> fields;
    ExportSettings exportSettings; ///< key `export`

    Settings();
    bool operator==(const Settings &) const = default;
};

} // namespace muster

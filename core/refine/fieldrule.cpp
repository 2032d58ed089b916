// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/fieldrule.h"

namespace muster {

bool FieldRule::needsJson() const
{
    return std::holds_alternative<JsonPath>(m_source) || std::holds_alternative<JsonPointer>(m_source);
}

Failure FieldRule::failure(const char *detail, const QString &why) const
{
    return {FailureKind::Refine, detail, 0,
            QStringLiteral("field %1: %2").arg(QString::fromUtf8(m_name), why)};
}

tl::expected<FieldRule::Values, Failure> FieldRule::find(AnswerText &answer) const
{
    Values values;
    const auto addText = [&values](const QByteArray &text) {
        Found found{JsonValue::Type::String, text, {}};
        appendJsonString(found.json, text);
        values.append(std::move(found));
    };
    if (const auto *header = std::get_if<HeaderName>(&m_source)) {
        for (const RawHeader &h : answer.answer().headers)
            if (h.name.compare(header->name, Qt::CaseInsensitive) == 0)
                addText(QString::fromUtf8(h.value).toUtf8());
        return values;
    }
    if (!answer.hasBody())
        return values;
    if (const auto *regex = std::get_if<RegexGroup>(&m_source)) {
        const int most = m_take == Take::First ? 1 : std::numeric_limits<int>::max();
        const auto found = regex->regex.find(answer.text(), regex->group, most);
        if (!found)
            return tl::unexpected(failure("limit", costlyWords(found.error())));
        for (const QString &text : *found)
            if (!text.isNull())
                addText(text.toUtf8());
        return values;
    }
    const auto &json = answer.json();
    if (!json)
        return tl::unexpected(failure(json.error().kind == JsonError::Kind::Limit ? "limit" : "json",
                                      QString::fromUtf8(json.error().reason)));
    QVector<JsonValue> found;
    if (const auto *path = std::get_if<JsonPath>(&m_source)) {
        auto all = path->find(**json);
        if (!all)
            return tl::unexpected(failure("limit", all.error()));
        found = std::move(*all);
    } else if (const JsonValue value = std::get<JsonPointer>(m_source).find(**json); value.exists()) {
        found.append(value);
    }
    if (m_take == Take::First && found.size() > 1)
        found.resize(1);
    qint64 bytes = 0;
    for (const JsonValue &value : std::as_const(found)) {
        values.append({value.type(), value.cell(), value.json()});
        bytes += values.back().json.size();
        // Nested values can be found again and again: the sum may pass any document's size.
        if (bytes > 16 * mostBytes)
            return tl::unexpected(
                failure("limit", QStringLiteral("the values found are larger than 16 MiB")));
    }
    return values;
}

std::optional<QByteArray> FieldRule::typed(const Found &found) const
{
    switch (m_type) {
    case Type::Number:
        if (found.type == JsonValue::Type::Number)
            return found.json;
        return found.type == JsonValue::Type::String ? numberFromText(QString::fromUtf8(found.text), m_locale)
                                                     : std::nullopt;
    case Type::Date: {
        std::optional<QByteArray> date;
        if (found.type == JsonValue::Type::Number)
            date = dateFromNumber(found.text);
        else if (found.type == JsonValue::Type::String)
            date = dateFromText(QString::fromUtf8(found.text), m_locale);
        if (date)
            date = QByteArray('"' + *date + '"');
        return date;
    }
    case Type::List:
        return found.type == JsonValue::Type::Array ? found.json : QByteArray('[' + found.json + ']');
    case Type::Text:
        break;
    }
    QByteArray out;
    appendJsonString(out, found.text);
    return out;
}

tl::expected<QByteArray, Failure> FieldRule::taken(const Values &values) const
{
    const auto wrong = [this](const Found &found) {
        const bool date = m_type == Type::Date;
        // Only the beginning: the text is the server's and may be of any length.
        return tl::unexpected(
            failure("type", QStringLiteral("\"%1\" is no %2")
                                .arg(QString::fromUtf8(found.text).left(40),
                                     date ? QStringLiteral("date") : QStringLiteral("number"))));
    };
    const bool convert = m_type == Type::Number || m_type == Type::Date;
    QByteArray out;
    switch (m_take) {
    case Take::Count:
        return QByteArray::number(values.size());
    case Take::First: {
        const std::optional<QByteArray> value = typed(values.front());
        if (!value)
            return wrong(values.front());
        return *value;
    }
    case Take::All:
        for (const Found &found : values) {
            const bool asFound = !convert || found.type == JsonValue::Type::Null;
            const std::optional<QByteArray> value = asFound ? std::optional(found.json) : typed(found);
            if (!value)
                return wrong(found);
            out += (out.isEmpty() ? '[' : ',') + *value;
        }
        return QByteArray(out + ']');
    case Take::Join:
        break;
    }
    for (const Found &found : values) {
        const std::optional<QByteArray> value = convert ? typed(found) : std::optional(found.text);
        if (!value)
            return wrong(found);
        if (&found != &values.front())
            out += m_join;
        out += m_type == Type::Date ? value->sliced(1, value->size() - 2) : *value;
    }
    QByteArray json;
    appendJsonString(json, out);
    return m_type == Type::List ? QByteArray('[' + json + ']') : json;
}

tl::expected<std::optional<QByteArray>, Failure> FieldRule::missing(const Answer &answer) const
{
    if (m_missing == Missing::Default)
        return std::optional(m_default);
    if (m_missing == Missing::Empty)
        return std::optional<QByteArray>();
    Failure f = failure("missing", QStringLiteral("nothing found"));
    f.code = answer.status;
    return tl::unexpected(f);
}

tl::expected<std::optional<QByteArray>, Failure> FieldRule::evaluate(AnswerText &answer) const
{
    auto values = find(answer);
    if (!values) {
        values.error().code = answer.answer().status;
        return tl::unexpected(values.error());
    }
    const bool isBody = !std::holds_alternative<HeaderName>(m_source);
    if (m_take == Take::Count && (!isBody || answer.hasBody()))
        return std::optional(QByteArray::number(values->size()));
    // null is how JSON says that there is nothing; a blank text is no number and no date.
    const bool blankCounts = m_type == Type::Text || m_type == Type::List;
    values->removeIf([this, blankCounts](const Found &found) {
        return (found.type == JsonValue::Type::Null && m_take != Take::All) ||
               (!blankCounts && found.type == JsonValue::Type::String && found.text.trimmed().isEmpty());
    });
    if (values->isEmpty())
        return missing(answer.answer());
    auto value = taken(*values);
    if (value && value->size() > mostBytes)
        value = tl::unexpected(failure("limit", QStringLiteral("it is larger than 1 MiB")));
    if (!value) {
        value.error().code = answer.answer().status;
        return tl::unexpected(value.error());
    }
    return std::optional(*value);
}

} // namespace muster

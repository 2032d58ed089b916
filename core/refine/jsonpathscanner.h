// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QString>

namespace muster::jsonpath {

/// The lexical level of JSONPath (RFC 9535): a cursor over the UTF-8 text of a query that reads names,
/// integers, numbers and string literals. The first mistake is kept with its place, and every call after it
/// finds nothing. One thread, lives as long as a parse.
class Scanner final
{
public:
    explicit Scanner(QByteArray text)
        : m_text(std::move(text))
    {}

    bool atEnd() const { return m_at >= m_text.size(); }
    char peek(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    bool looksAt(QByteArrayView what) const { return QByteArrayView(m_text).sliced(m_at).startsWith(what); }
    bool take(QByteArrayView what); ///< moves on where `what` stands here
    void skipBlank();
    qsizetype place() const { return m_at; }
    void goBack(qsizetype place) { m_at = place; }

    bool startsName() const;                   ///< a member name in shorthand
    std::optional<QByteArray> name();          ///< that name
    std::optional<QByteArray> function();      ///< a function's name, where "(" follows it at once
    std::optional<qint64> integer();           ///< within the exact range of a double
    std::optional<QByteArray> number();        ///< a literal, its digits as written
    std::optional<QByteArray> stringLiteral(); ///< in either kind of quotes, escapes resolved

    /// Keeps the mistake (the first one alone); always false.
    bool fail(const QString &reason);
    bool failed() const { return !m_reason.isEmpty(); }
    QString reason() const { return m_reason; }
    qsizetype failedCharacter() const; ///< from 0, in characters

private:
    bool appendEscape(QByteArray &out, char quote);
    std::optional<int> hexUnit();
    bool skipDigits();

    QByteArray m_text;
    qsizetype m_at = 0;
    QString m_reason;
    qsizetype m_failedAt = 0;
};

} // namespace muster::jsonpath

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/jsonpath.h"

namespace muster {

tl::expected<JsonPointer, ExprProblem> JsonPointer::parse(const QString &text)
{
    JsonPointer out;
    if (text.isEmpty())
        return out;
    if (!text.startsWith(QLatin1Char('/')))
        return tl::unexpected(ExprProblem{QStringLiteral("a JSON Pointer is empty or begins with /"),
                                          QStringLiteral("write /%1").arg(text), 0});
    for (qsizetype at = text.indexOf(QLatin1Char('~')); at >= 0;
         at = text.indexOf(QLatin1Char('~'), at + 1)) {
        const QChar next = at + 1 < text.size() ? text[at + 1] : QChar();
        if (next != QLatin1Char('0') && next != QLatin1Char('1'))
            return tl::unexpected(ExprProblem{QStringLiteral("~ stands alone at character %1").arg(at + 1),
                                              QStringLiteral("write ~0 for ~ and ~1 for /"), at});
    }
    const QList<QByteArray> tokens = text.toUtf8().sliced(1).split('/');
    for (QByteArray token : tokens)
        out.m_tokens.append(token.replace("~1", "/").replace("~0", "~"));
    return out;
}

JsonValue JsonPointer::find(const JsonTree &tree) const
{
    JsonValue at = tree.root();
    for (const QByteArray &token : m_tokens) {
        if (at.type() != JsonValue::Type::Array) {
            at = at.member(token);
            continue;
        }
        bool number = false;
        const qlonglong index = token.toLongLong(&number);
        // Only the plain spelling is an index: not +1, 01 or a blank in front.
        at = number && QByteArray::number(index) == token ? at.at(index) : JsonValue();
    }
    return at;
}

} // namespace muster

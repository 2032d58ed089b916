// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/templatetext.h"

#include <algorithm>

#include "core/intake/trimmed.h"
#include "core/intake/urlbytes.h"
#include "core/settings/secretlookup.h"

namespace muster {

namespace {

using Encoding = MaskedText::Encoding;
using Kind = TemplateText::Kind;
using Piece = TemplateText::Piece;
using Place = TemplateText::Place;

/// Reads one template from left to right.
class Parser final
{
public:
    Parser(const QByteArray &text, Place place, Encoding encoding, const QString &key)
        : m_text(text)
        , m_place(place)
        , m_encoding(encoding)
        , m_key(key)
    {}

    QVector<Piece> pieces;
    Problems problems;

    void run()
    {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c != '{' && c != '}')
                literal(1);
            else if (m_place == Place::Body)
                braceInBody();
            else
                brace(c);
        }
    }

private:
    void literal(qsizetype length, qsizetype skip = 0)
    {
        if (pieces.isEmpty() || pieces.last().kind != Kind::Literal)
            pieces.append(Piece{});
        pieces.last().text += m_text.mid(m_at, length);
        m_at += length + skip;
    }

    void problem(const QString &reason, const QString &mend)
    {
        problems.append({Problem::Severity::Error, m_key, reason, mend});
    }

    void brace(char c)
    {
        if (m_at + 1 < m_text.size() && m_text[m_at + 1] == c)
            return literal(1, 1);
        const qsizetype end = c == '{' ? m_text.indexOf('}', m_at) : -1;
        if (end < 0) {
            problem(QStringLiteral("the brace at character %1 has no partner").arg(m_at + 1),
                    c == '{' ? QStringLiteral("close it, or write {{ for a brace itself")
                             : QStringLiteral("write }} for a brace itself"));
            return literal(1);
        }
        const QByteArray raw = m_text.mid(m_at, end + 1 - m_at);
        m_at = end + 1;
        const QByteArray name = raw.mid(1, raw.size() - 2);
        if (name.isEmpty() || name.contains('{'))
            return problem(
                QStringLiteral("%1 names no column").arg(QString::fromUtf8(raw)),
                QStringLiteral("put a name between the braces, or write {{ and }} for braces themselves"));
        placeholder(raw, name, Kind::Column);
    }

    void braceInBody()
    {
        qsizetype end = m_at + 1;
        while (end < m_text.size() && !QByteArrayView("{}\"\r\n").contains(m_text[end]))
            ++end;
        if (m_text[m_at] == '}' || end >= m_text.size() || m_text[end] != '}' || end == m_at + 1)
            return literal(1);
        const QByteArray raw = m_text.mid(m_at, end + 1 - m_at);
        m_at = end + 1;
        placeholder(raw, raw.mid(1, raw.size() - 2), Kind::Perhaps);
    }

    void placeholder(const QByteArray &raw, QByteArray name, Kind bare)
    {
        Piece piece{bare, {}, raw, m_encoding};
        if (name.endsWith("|raw")) {
            piece.encoding = Encoding::Raw;
            name.chop(4);
        }
        if (name == "next" || name == "page")
            return problem(
                QStringLiteral("%1 belongs to next pages, which come with a later version")
                    .arg(QString::fromUtf8(raw)),
                QStringLiteral("take it out; a column of that name is {in.%1}").arg(QString::fromUtf8(name)));
        if (name.startsWith("secret:"))
            return secret(piece, name.mid(7));
        if (name == "url") {
            piece.kind = Kind::Url;
        } else if (name.startsWith("in.") && name.size() > 3) {
            piece.kind = Kind::Column;
            name.remove(0, 3);
        }
        piece.text = name;
        pieces.append(piece);
    }

    void secret(Piece piece, const QByteArray &name)
    {
        if (!isSecretName(name))
            return problem(QStringLiteral("%1 is no name of a secret").arg(QString::fromUtf8(piece.raw)),
                           QStringLiteral("use a-z, 0-9 and _ only"));
        if (m_place == Place::Header)
            return problem(QStringLiteral("a header of the template may hold no secret"),
                           QStringLiteral("use auth, which knows to which host the secret may go"));
        piece.kind = Kind::Secret;
        piece.text = name;
        pieces.append(piece);
    }

    const QByteArray &m_text;
    Place m_place;
    Encoding m_encoding;
    const QString &m_key;
    qsizetype m_at = 0;
};

void appendJson(QByteArray &out, QByteArrayView value)
{
    constexpr char digits[] = "0123456789abcdef";
    for (const char c : value) {
        const auto byte = static_cast<uchar>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte >= 0x20) {
            out += c;
        } else if (c == '\n' || c == '\r' || c == '\t') {
            out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
        } else {
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 15];
        }
    }
}

void appendForm(QByteArray &out, QByteArrayView value)
{
    for (const char c : value) {
        if (c == ' ')
            out += '+';
        else if (c == '*' || (isUnreserved(c) && c != '~'))
            out += c;
        else
            appendEscape(out, c);
    }
}

bool breaksHeader(QByteArrayView value)
{
    return std::any_of(value.begin(), value.end(), [](char c) {
        const auto byte = static_cast<uchar>(c);
        return (byte < 0x20 && c != '\t') || byte == 0x7f;
    });
}

void appendSecret(MaskedText &out, const Piece &piece)
{
    MaskedText::Slot slot;
    slot.at = static_cast<int>(out.text.size());
    slot.name = piece.text;
    slot.encoding = piece.encoding;
    out.text += "{secret:" + piece.text + '}';
    slot.length = static_cast<int>(out.text.size()) - slot.at;
    out.secretSlots.append(slot);
}

} // namespace

void appendEncoded(QByteArray &out, QByteArrayView value, Encoding encoding)
{
    switch (encoding) {
    case Encoding::Json:
        return appendJson(out, value);
    case Encoding::Form:
        return appendForm(out, value);
    case Encoding::Raw:
        out.append(value);
        return;
    case Encoding::Percent:
        for (const char c : value) {
            if (isUnreserved(c))
                out += c;
            else
                appendEscape(out, c);
        }
    }
}

tl::expected<TemplateText, Problems> TemplateText::parse(const QByteArray &text, Place place,
                                                         Encoding encoding, const QString &key)
{
    Parser parser(text, place, encoding, key);
    parser.run();
    if (place == Place::Header && breaksHeader(text))
        parser.problems.append(
            {Problem::Severity::Error, key,
             QStringLiteral("there is a line break or another control character in the value"),
             QStringLiteral("take it out")});
    if (!parser.problems.isEmpty())
        return tl::unexpected<Problems>(std::move(parser.problems));
    TemplateText out;
    out.m_place = place;
    out.m_pieces = std::move(parser.pieces);
    return out;
}

tl::expected<MaskedText, QString> TemplateText::render(const Values &values) const
{
    MaskedText out;
    for (const Piece &piece : m_pieces) {
        if (piece.kind == Kind::Literal) {
            out.text += piece.text;
            continue;
        }
        if (piece.kind == Kind::Secret) {
            appendSecret(out, piece);
            continue;
        }
        std::optional<QByteArray> cell = piece.kind == Kind::Url ? values.url : values.input.cell(piece.text);
        if (!cell && piece.kind == Kind::Perhaps) {
            out.text += piece.raw;
            continue;
        }
        const QString name = QString::fromUtf8(piece.raw);
        if (!cell)
            return tl::unexpected<QString>(
                QStringLiteral("the template names %1, and the row has no such column; correct the template")
                    .arg(name));
        if (values.trim)
            *cell = trimmedText(*cell).toByteArray();
        if (m_place == Place::Header && breaksHeader(*cell))
            return tl::unexpected<QString>(
                QStringLiteral(
                    "the value of %1 has a line break or another control character, which a header "
                    "cannot carry; correct the cell")
                    .arg(name));
        appendEncoded(out.text, *cell, piece.encoding);
    }
    return out;
}

} // namespace muster

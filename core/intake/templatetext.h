// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QByteArray>
#include <QString>
#include <QVector>
#include <tl/expected.hpp>

#include "core/job/job.h"
#include "core/job/request.h"
#include "core/settings/problem.h"

namespace muster {

/// One text of a template: literal pieces and placeholders, each with the encoding of its place. In a URL and
/// a header every brace counts and `{{` `}}` are literal ones; in a body a group is a placeholder when its
/// name is known (url, in.NAME, secret:NAME or a column of the row) and stays as it is otherwise, so that
/// JSON needs no escapes. A value, immutable; any thread.
class TemplateText final
{
public:
    enum class Place { Url, Header, Body };
    enum class Kind {
        Literal,
        Url,
        Column,
        Secret,
        Perhaps ///< a group of a body: a column where the row has it, else text
    };
    struct Piece
    {
        Kind kind = Kind::Literal;
        QByteArray text; ///< the literal, or the name
        QByteArray raw;  ///< the group as it was written, with braces
        MaskedText::Encoding encoding = MaskedText::Encoding::Raw;
    };
    /// What a row brings.
    struct Values
    {
        const QByteArray &url;
        const InputColumns &input;
        bool trim = false; ///< blanks at both ends of a cell are left out
    };

    /// `key` is the settings key, for the problems. `encoding`: of the placeholders without `|raw`.
    static tl::expected<TemplateText, Problems> parse(const QByteArray &text, Place place,
                                                      MaskedText::Encoding encoding, const QString &key);

    /// A refusal is one sentence, "reason; mend".
    tl::expected<MaskedText, QString> render(const Values &values) const;

    const QVector<Piece> &pieces() const { return m_pieces; }
    /// Nothing but `{url}`: the address itself, taken as it is.
    bool isUrlAlone() const { return m_pieces.size() == 1 && m_pieces.first().kind == Kind::Url; }

private:
    Place m_place = Place::Url;
    QVector<Piece> m_pieces;
};

/// `value` as it is written at a place of that encoding.
void appendEncoded(QByteArray &out, QByteArrayView value, MaskedText::Encoding encoding);

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <tl/expected.hpp>

#include "core/settings/problem.h"

namespace muster {

/// A selector of rows (spec 10): `state:failed code:5* -host:a.example`, blank is and, `,` is or, `-` is not,
/// globs; `=` for `:`. Keys: state kind code host proxy batch run row url and field names. `row:10-20` is a
/// range.
struct Selector
{
    struct Term
    {
        QByteArray key;
        QVector<QByteArray> values; ///< globs, any of them
        bool negated = false;
        bool field = false; ///< key is a field's name
    };
    QVector<Term> terms; ///< all must hold; none: every row

    /// The problem names the term, the reason and the keys there are.
    static tl::expected<Selector, Problem> parse(const QString &text, const QVector<QByteArray> &fields);
};

/// `*` any run of characters, `?` any one; case counts.
bool globMatches(QByteArrayView pattern, QByteArrayView text);

} // namespace muster

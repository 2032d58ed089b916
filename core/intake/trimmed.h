// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace muster {

/// Without the blanks at both ends: those of ASCII and those that come along with a paste (no-break and
/// ideographic space, zero-width space, byte order mark). UTF-8.
inline QByteArrayView trimmedText(QByteArrayView text)
{
    constexpr QByteArrayView blanks[] = {"\xc2\xa0", "\xe3\x80\x80", "\xe2\x80\x8b", "\xef\xbb\xbf"};
    text = text.trimmed();
    for (bool again = true; again;) {
        again = false;
        for (const QByteArrayView blank : blanks) {
            const bool front = text.startsWith(blank);
            text = front ? text.sliced(blank.size()) : text;
            const bool back = text.endsWith(blank);
            text = back ? text.chopped(blank.size()) : text;
            again = again || front || back;
        }
        text = text.trimmed();
    }
    return text;
}

} // namespace muster

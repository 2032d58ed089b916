// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/wildcard.h"

namespace muster {

bool matchesWildcard(QByteArrayView pattern, QByteArrayView text)
{
    qsizetype p = 0, t = 0, star = -1, retry = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star >= 0) { // the last star takes one more character
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/answer.h"

namespace muster {

QByteArray Answer::header(QByteArrayView name) const
{
    for (const RawHeader &h : headers)
        if (h.name.size() == name.size() && h.name.compare(name, Qt::CaseInsensitive) == 0)
            return h.value;
    return {};
}

} // namespace muster

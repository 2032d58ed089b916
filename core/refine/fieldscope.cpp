// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/refine/fieldscope.h"

#include "core/job/request.h"

namespace muster {

namespace {

/// `*` stands for any run of characters, the rest for itself.
bool matchesGlob(QByteArrayView glob, QByteArrayView text)
{
    qsizetype g = 0;
    qsizetype t = 0;
    qsizetype star = -1;  // behind the last star met
    qsizetype resume = 0; // where the text goes on if that star takes one more
    while (t < text.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = ++g;
            resume = t;
        } else if (g < glob.size() && glob[g] == text[t]) {
            ++g;
            ++t;
        } else if (star >= 0) {
            g = star;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*')
        ++g;
    return g == glob.size();
}

} // namespace

FieldScope::FieldScope(const QByteArray &glob)
    : m_all(glob.trimmed() == "*")
{
    QByteArray rest = glob.trimmed();
    if (const qsizetype scheme = rest.indexOf("://"); scheme >= 0)
        rest = rest.sliced(scheme + 3);
    const qsizetype slash = rest.indexOf('/');
    if (slash >= 0)
        m_path = rest.sliced(slash);
    m_host = (slash < 0 ? rest : rest.first(slash)).toLower();
    const qsizetype colon = m_host.lastIndexOf(':');
    // The colons of [::1] are not in front of a port.
    if (colon >= 0 && colon > m_host.lastIndexOf(']')) {
        m_port = m_host.sliced(colon + 1);
        m_host.truncate(colon);
    }
    if (m_host.startsWith('[') && m_host.endsWith(']'))
        m_host = m_host.sliced(1, m_host.size() - 2);
    while (m_host.endsWith('.'))
        m_host.chop(1);
}

bool FieldScope::matches(const QByteArray &url) const
{
    if (m_all)
        return true;
    const Target target = targetOf(url);
    return matchesGlob(m_host, target.host) &&
           (m_port.isEmpty() || matchesGlob(m_port, QByteArray::number(target.port))) &&
           (m_path.isEmpty() || matchesGlob(m_path, target.path));
}

} // namespace muster

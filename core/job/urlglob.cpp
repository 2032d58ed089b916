// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/urlglob.h"

#include <QStringList>
#include <QUrl>

#include "core/job/wildcard.h"

namespace muster {

namespace {
/// Only labels beyond ASCII need it; `*` is no legal label and must pass as it is.
QByteArray asciiHost(const QString &host)
{
    QByteArrayList labels;
    for (const QString &label : host.toLower().split(QLatin1Char('.'))) {
        const QByteArray utf8 = label.toUtf8();
        labels << (utf8.size() == label.size() ? utf8 : QUrl::toAce(label));
    }
    while (labels.size() > 1 && labels.last().isEmpty())
        labels.removeLast();
    return labels.join('.');
}

QByteArray asciiPath(const QString &path)
{
    QByteArray ascii;
    for (const char c : path.toUtf8()) {
        if (static_cast<uchar>(c) < 0x80)
            ascii += c;
        else
            ascii += '%' + QByteArray(1, c).toHex().toUpper();
    }
    return ascii;
}
} // namespace

UrlGlob::UrlGlob(const QString &pattern)
{
    QString rest = pattern.trimmed();
    for (const QLatin1String scheme : {QLatin1String("http"), QLatin1String("https")}) {
        if (rest.startsWith(scheme + QLatin1String("://"), Qt::CaseInsensitive)) {
            m_scheme = scheme.latin1();
            rest = rest.mid(scheme.size() + 3);
            break;
        }
    }
    rest = rest.section(QLatin1Char('?'), 0, 0);
    const qsizetype slash = rest.indexOf(QLatin1Char('/'));
    if (slash >= 0)
        m_path = asciiPath(rest.mid(slash));
    setOrigin(slash >= 0 ? rest.left(slash) : rest);
}

void UrlGlob::setOrigin(QString origin)
{
    const qsizetype bracket = origin.indexOf(QLatin1Char(']'));
    const qsizetype colon = origin.lastIndexOf(QLatin1Char(':'));
    const bool bareAddress = bracket < 0 && origin.count(QLatin1Char(':')) > 1;
    if (colon > bracket && !bareAddress) {
        m_port = origin.mid(colon + 1).toUtf8();
        origin.truncate(colon);
    }
    if (origin.startsWith(QLatin1Char('[')) && origin.endsWith(QLatin1Char(']')))
        origin = origin.mid(1, origin.size() - 2);
    m_host = asciiHost(origin);
}

bool UrlGlob::matches(const QByteArray &url) const
{
    const Target target = targetOf(url);
    return matchesOrigin(target) && matchesPath(target.path);
}

bool UrlGlob::matchesOrigin(const Target &target) const
{
    return (m_scheme.isEmpty() || m_scheme == target.scheme) && matchesWildcard(m_host, target.host) &&
           (m_port.isEmpty() || matchesWildcard(m_port, QByteArray::number(target.port)));
}

bool UrlGlob::matchesPath(QByteArrayView path) const
{
    return m_path.isEmpty() || matchesWildcard(m_path, path);
}

} // namespace muster

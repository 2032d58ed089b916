// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/lanebook.h"

#include <algorithm>
#include <QHostAddress>

namespace muster {

namespace {

// Beyond this many lanes one manager's thread becomes the bottleneck (network.md 3: 43 managers reach 97 %
// of the ideal where one manager with 43 lanes reaches 88 %).
constexpr int lanesPerManager = 16;

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool canChangeCase(QByteArrayView host)
{
    const QString text = QString::fromLatin1(host);
    return !text.contains(u"xn--", Qt::CaseInsensitive) && QHostAddress(text).isNull();
}

QString caseVariant(QByteArrayView host, int variant)
{
    QByteArray name = host.toByteArray();
    for (char &c : name) {
        if (!isLetter(c))
            continue;
        if (variant & 1)
            c = static_cast<char>(c ^ 0x20);
        variant >>= 1;
    }
    return QString::fromLatin1(name);
}

} // namespace

int LaneBook::acquire(std::string_view host)
{
    auto it = m_hosts.find(host);
    if (it == m_hosts.end())
        it = m_hosts.emplace(std::string(host), Host{}).first;
    Host &h = it->second;
    ++h.flights;
    const auto free = std::find_if(h.lanes.begin(), h.lanes.end(), [](int n) { return n < slots; });
    if (free != h.lanes.end()) {
        ++*free;
        return static_cast<int>(free - h.lanes.begin());
    }
    h.lanes.push_back(1);
    return static_cast<int>(h.lanes.size()) - 1;
}

void LaneBook::release(std::string_view host, int lane)
{
    const auto it = m_hosts.find(host);
    if (it == m_hosts.end())
        return;
    Host &h = it->second;
    --h.lanes[static_cast<std::size_t>(lane)];
    if (--h.flights == 0)
        m_hosts.erase(it);
}

int LaneBook::flights(std::string_view host) const
{
    const auto it = m_hosts.find(host);
    return it == m_hosts.end() ? 0 : it->second.flights;
}

LanePlace lanePlace(bool https, QByteArrayView host, int lane)
{
    if (lane == 0)
        return {};
    int names = lanesPerManager;
    if (https) {
        const auto letters = std::count_if(host.begin(), host.end(), isLetter);
        names = canChangeCase(host) ? std::min(lanesPerManager, 1 << std::min<qsizetype>(letters, 4)) : 1;
    }
    LanePlace place;
    place.manager = lane / names;
    const int variant = lane % names;
    if (variant > 0)
        place.name = https ? caseVariant(host, variant) : u"lane" % QString::number(variant);
    return place;
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/addressbook.h"

#include <algorithm>

namespace muster {

namespace {

constexpr auto keepFound = std::chrono::seconds(30);
constexpr auto keepMissing = std::chrono::seconds(60); // reliability.md F06
constexpr std::size_t mostKnown = 4096;

void systemResolver(const QString &name, QObject *context, std::function<void(QHostInfo)> done)
{
    QHostInfo::lookupHost(name, context, [done = std::move(done)](const QHostInfo &info) { done(info); });
}

AddressBook::Entry entryOf(const QHostInfo &info)
{
    AddressBook::Entry entry;
    if (info.error() == QHostInfo::HostNotFound)
        entry.outcome = AddressBook::Outcome::Missing;
    else if (info.error() == QHostInfo::NoError && !info.addresses().isEmpty())
        entry.outcome = AddressBook::Outcome::Found;
    entry.addresses = info.addresses();
    std::stable_partition(entry.addresses.begin(), entry.addresses.end(), [](const QHostAddress &a) {
        return a.protocol() == QAbstractSocket::IPv4Protocol;
    });
    return entry;
}

} // namespace

AddressBook::AddressBook(int atOnce, Resolve resolve, QObject *parent)
    : QObject(parent)
    , m_atOnce(atOnce)
    , m_resolve(resolve ? std::move(resolve) : Resolve(systemResolver))
{}

void AddressBook::lookUp(const QByteArray &host, Mono now, Done done)
{
    m_lastSeen = std::max(m_lastSeen, now);
    if (const auto it = m_known.find(host); it != m_known.end()) {
        if (now < it->second.until) {
            const Entry entry = it->second.entry;
            return done(entry);
        }
        m_known.erase(it);
    }
    std::vector<Done> &askers = m_asked[host];
    askers.push_back(std::move(done));
    if (askers.size() > 1)
        return;
    m_waiting.push_back(host);
    startNext();
}

bool AddressBook::isKnownMissing(const QByteArray &host, Mono now) const
{
    const auto it = m_known.find(host);
    return it != m_known.end() && it->second.entry.outcome == Outcome::Missing && now < it->second.until;
}

void AddressBook::startNext()
{
    while (m_running < m_atOnce && !m_waiting.empty()) {
        const QByteArray host = m_waiting.front();
        m_waiting.pop_front();
        ++m_running;
        m_resolve(QString::fromLatin1(host), this,
                  [this, host](const QHostInfo &info) { settle(host, info); });
    }
}

void AddressBook::settle(const QByteArray &host, const QHostInfo &info)
{
    --m_running;
    const Entry entry = entryOf(info);
    if (m_known.size() >= mostKnown)
        m_known.clear();
    if (entry.outcome == Outcome::Found)
        m_known[host] = {entry, m_lastSeen + keepFound};
    else if (entry.outcome == Outcome::Missing)
        m_known[host] = {entry, m_lastSeen + keepMissing};
    const auto node = m_asked.extract(host);
    startNext();
    if (node)
        for (const Done &done : node.mapped())
            done(entry);
}

} // namespace muster

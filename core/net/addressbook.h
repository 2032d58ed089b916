// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <QByteArray>
#include <QHostAddress>
#include <QHostInfo>
#include <QObject>
#include <QVector>
#include <vector>

#include "core/job/moment.h"

namespace muster {

/// Names looked up by us, where Qt may not do it: for the address policy, and to tell a name that does not
/// exist from a resolver that failed. A bounded number of lookups run at once (Qt has 20 lookup threads for
/// the whole process, and dead names would block them); answers are kept 30 s, missing names 60 s. One fetch
/// thread, owned by its worker.
class AddressBook final : public QObject
{
    Q_OBJECT

public:
    enum class Outcome { Found, Missing, Failed };
    struct Entry
    {
        Outcome outcome = Outcome::Failed;
        QVector<QHostAddress> addresses; ///< IPv4 first
    };
    using Done = std::function<void(const Entry &)>;
    using Resolve =
        std::function<void(const QString &name, QObject *context, std::function<void(QHostInfo)> done)>;

    /// `resolve` replaces the system's resolver in tests.
    explicit AddressBook(int atOnce, Resolve resolve = {}, QObject *parent = nullptr);

    /// `done` is called once, at once where the answer is known.
    void lookUp(const QByteArray &host, Mono now, Done done);
    bool isEmpty() const { return m_known.empty(); }
    bool isKnownMissing(const QByteArray &host, Mono now) const;

private:
    struct Known
    {
        Entry entry;
        Mono until{};
    };
    void startNext();
    void settle(const QByteArray &host, const QHostInfo &info);

    int m_atOnce;
    Resolve m_resolve;
    int m_running = 0;
    Mono m_lastSeen{};
    std::map<QByteArray, Known> m_known;
    std::map<QByteArray, std::vector<Done>> m_asked;
    std::deque<QByteArray> m_waiting;
};

} // namespace muster

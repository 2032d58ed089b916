// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <QByteArray>
#include <QString>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace muster {

/// Which lane of a host has a free slot. A manager sends six requests at once to one key of its connection
/// cache and queues the rest; a lane is one such key, so no flight beyond the sixth may take it. The lowest
/// lane with room wins, which keeps warm connections in use. A host without flights is forgotten. Pure
/// bookkeeping, one owner (a fetch worker).
class LaneBook final
{
public:
    static constexpr int slots = 6; ///< QHttpNetworkConnection's channels for HTTP/1.1 (network.md 3)

    /// Takes a slot; always succeeds, by opening a further lane where all are full.
    int acquire(std::string_view host);
    /// Gives back what acquire() answered for this host.
    void release(std::string_view host, int lane);

    int flights(std::string_view host) const;
    bool isEmpty() const { return m_hosts.empty(); }

private:
    struct Hash
    {
        using is_transparent = void;
        std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
    };
    struct Host
    {
        int flights = 0;
        std::vector<int> lanes; ///< flights by lane
    };
    std::unordered_map<std::string, Host, Hash, std::equal_to<>> m_hosts;
};

/// Spreads the lanes of a host over managers: which manager, and under which name in its connection cache
/// (QNetworkRequest::peerVerifyName; empty: none). For plain http any name does. For https it must still
/// verify, so the names are upper and lower case spellings of the host; hosts without letters, and punycode
/// ones, use further managers.
struct LanePlace
{
    int manager = 0;
    QString name;
};
LanePlace lanePlace(bool https, QByteArrayView host, int lane);

} // namespace muster

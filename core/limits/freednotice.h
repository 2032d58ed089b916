// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/limits/permit.h"

namespace muster {

/// Who wants to hear that an instance may grant again. Shared by the gate and the permits that are out, so
/// that a permit may come back after its gate is gone: then nobody listens. Engine thread.
class FreedNotice final
{
public:
    using Listener = std::function<void(InstanceId)>;

    void listen(Listener listener) { m_listener = std::make_shared<const Listener>(std::move(listener)); }
    void silence() { m_listener.reset(); }
    void tell(InstanceId instance) const;

private:
    std::shared_ptr<const Listener> m_listener; ///< held while it runs: it may silence us
};

} // namespace muster

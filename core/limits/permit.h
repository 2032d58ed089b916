// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QtGlobal>

#include "core/job/moment.h"

namespace muster {

using InstanceId = quint64;

/// What all matching instances granted together for one request. Move-only. Its at-once share returns when it
/// is released or destroyed, on every way out, once. Tokens return only by `refund`, when nothing was sent.
/// Engine thread only.
class Permit final
{
public:
    struct Grant; ///< the instances and amounts behind it

    Permit();
    explicit Permit(std::unique_ptr<Grant> grant);
    Permit(Permit &&) noexcept;
    Permit &operator=(Permit &&) noexcept;
    ~Permit();

    bool isValid() const { return m_grant != nullptr; }
    /// Gives the at-once share back; tokens stay spent. A second call does nothing.
    void release();
    /// Nothing was sent: gives tokens and share back, never above the burst. A second call does nothing.
    void refund(Mono now);
    const Grant *grant() const { return m_grant.get(); }

private:
    std::unique_ptr<Grant> m_grant;
};

} // namespace muster

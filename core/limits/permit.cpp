// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits/permit.h"

#include <utility>

#include "core/limits/grant.h"

namespace muster {

Permit::Permit() = default;

Permit::Permit(std::unique_ptr<Grant> grant)
    : m_grant(std::move(grant))
{}

Permit::Permit(Permit &&) noexcept = default;

Permit &Permit::operator=(Permit &&other) noexcept
{
    if (this != &other) {
        release();
        m_grant = std::move(other.m_grant);
    }
    return *this;
}

Permit::~Permit()
{
    release();
}

void Permit::release()
{
    const std::unique_ptr<Grant> grant = std::move(m_grant);
    if (!grant)
        return;
    for (const Grant::Share &share : grant->shares)
        share.instance->release(share.receipt);
    for (const Grant::Share &share : grant->shares) // all are back before anybody asks again
        if (share.instance->budget().limit() && share.instance->budget().isFree())
            grant->freed->tell(share.instance->id());
}

void Permit::refund(Mono)
{
    const std::unique_ptr<Grant> grant = std::move(m_grant);
    if (!grant)
        return;
    for (const Grant::Share &share : grant->shares)
        share.instance->refund(share.receipt);
    for (const Grant::Share &share : grant->shares)
        grant->freed->tell(share.instance->id());
}

} // namespace muster

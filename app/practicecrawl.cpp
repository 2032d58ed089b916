// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/practicecrawl.h"

#include <QBuffer>

#include "app/importtask.h"
#include "app/locking.h"
#include "app/orders.h"
#include "app/places.h"

namespace muster {

OrStop<void> makePracticeProject(const practice::PracticeService &service, const QString &path)
{
    const auto lock = takeLock(path, QStringLiteral("muster practice"), false);
    if (!lock)
        return tl::unexpected(lock.error());
    removeProject(path);
    const auto checked = checkedOrStop(service.settings());
    if (!checked)
        return tl::unexpected(checked.error());
    auto project = Project::create(path, service.settings());
    if (!project)
        return stopWith(project.error());
    QByteArray list = service.list();
    QBuffer buffer(&list);
    buffer.open(QIODevice::ReadOnly);
    const OnProject here = [&project](const std::function<void(Project &)> &work) { work(**project); };
    const std::atomic_bool cancelled = false;
    const auto report =
        importInto(here, checked->settings, buffer, QStringLiteral("practice.csv"), cancelled);
    if (!report)
        return tl::unexpected(report.error());
    return {};
}

} // namespace muster

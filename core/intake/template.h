// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QVector>
#include <tl/expected.hpp>

#include "core/job/job.h"
#include "core/job/request.h"
#include "core/settings/problem.h"
#include "core/settings/settings.h"

namespace muster {

/// `request.url`, `request.headers` and `request.body` as one compiled template (spec 2). Immutable and cheap
/// to copy; any thread.
class RequestTemplate final
{
public:
    /// The problems name the key, the placeholder and the mend.
    static tl::expected<RequestTemplate, Problems> compile(const Settings &settings);

    /// The request of a row, normalised; or one sentence why none can be made of it.
    /// `url`: what `{url}` stands for. For jobs with `received` use `renderReceived`.
    tl::expected<Request, QString> render(const QByteArray &url, const InputColumns &input) const;
    /// A URL from the net, taken as it is, with the template's method, headers and body where it is a next
    /// page.
    tl::expected<Request, QString> renderReceived(const QByteArray &url, const InputColumns &input,
                                                  bool nextPage) const;

    /// That it names, without url, next, page. A bare `{name}` in a body is none of them: it is a column only
    /// where the row has one, else text.
    QVector<QByteArray> columns() const;
    /// Of the columns that it names, those that are not among `names`. Asked before rows are taken in.
    QVector<QByteArray> missingColumns(const QVector<QByteArray> &names) const;
    QVector<QByteArray> secrets() const;
    bool usesUrl() const; ///< `{url}` occurs

private:
    struct Data;
    explicit RequestTemplate(std::shared_ptr<const Data> data);
    std::shared_ptr<const Data> d;
};

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/template.h"

#include <algorithm>
#include <optional>

#include "core/intake/templatetext.h"
#include "core/intake/trimmed.h"
#include "core/intake/urlnormaliser.h"
#include "core/settings/secretlookup.h"

namespace muster {

using Encoding = MaskedText::Encoding;
using Place = TemplateText::Place;

struct RequestTemplate::Data
{
    struct HeaderTemplate
    {
        QByteArray name;
        TemplateText value;
    };
    QByteArray method;
    TemplateText url;
    QVector<HeaderTemplate> headers;
    TemplateText body;
    bool trim = true;
    UrlNormaliser normaliser;

    template <typename F>
    void eachPiece(F f) const
    {
        std::for_each(url.pieces().begin(), url.pieces().end(), f);
        for (const HeaderTemplate &header : headers)
            std::for_each(header.value.pieces().begin(), header.value.pieces().end(), f);
        std::for_each(body.pieces().begin(), body.pieces().end(), f);
    }
    QVector<QByteArray> names(TemplateText::Kind kind) const;
    tl::expected<Request, QString> finish(Request request, const TemplateText::Values &values) const;
};

namespace {

bool isToken(QByteArrayView name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               QByteArrayView("!#$%&'*+-.^_`|~").contains(c);
    });
}

/// A form body without a Content-Type: name=value from its first character on.
bool looksLikeForm(QByteArrayView body)
{
    const qsizetype equals = body.indexOf('=');
    return equals > 0 && std::none_of(body.begin(), body.begin() + equals, [](char c) {
               return static_cast<uchar>(c) <= ' ' || QByteArrayView("<>&\"").contains(c);
           });
}

/// The Content-Type of the template without its parameters, in lower case; nothing where it has none.
std::optional<QString> namedType(const RequestSettings &request)
{
    for (const auto &[name, value] : request.headers) {
        if (name.compare(QLatin1String("content-type"), Qt::CaseInsensitive) == 0)
            return value.section(QLatin1Char(';'), 0, 0).trimmed().toLower();
    }
    return std::nullopt;
}

/// How values are written in the body: by the Content-Type of the template, else by the body's own shape.
Encoding bodyEncoding(const RequestSettings &request)
{
    if (const auto type = namedType(request)) {
        if (*type == QLatin1String("application/json") || type->endsWith(QLatin1String("+json")) ||
            *type == QLatin1String("text/json"))
            return Encoding::Json;
        return *type == QLatin1String("application/x-www-form-urlencoded") ? Encoding::Form : Encoding::Raw;
    }
    const QByteArray body = request.body.toUtf8().trimmed();
    if (body.startsWith('{') || body.startsWith('['))
        // `{name}=…` is a form whose field name is a placeholder.
        return body.startsWith('{') && body.indexOf("}=") > 0 && !body.contains('"') ? Encoding::Form
                                                                                     : Encoding::Json;
    return looksLikeForm(body) ? Encoding::Form : Encoding::Raw;
}

/// What a body of that encoding is called to the server.
QByteArray typeOf(Encoding encoding)
{
    switch (encoding) {
    case Encoding::Json:
        return QByteArrayLiteral("application/json");
    case Encoding::Form:
        return QByteArrayLiteral("application/x-www-form-urlencoded");
    default:
        return QByteArrayLiteral("text/plain; charset=utf-8");
    }
}

/// Marks `{secret:NAME}` in a stored URL, in which known secrets were put back by name after it had been
/// normalised (so that braces of its own are escapes).
MaskedText withSlots(const QByteArray &url)
{
    MaskedText out{url, {}};
    const QByteArray opening = QByteArrayLiteral("{secret:");
    for (qsizetype at = url.indexOf(opening); at >= 0; at = url.indexOf(opening, at + 1)) {
        const qsizetype end = url.indexOf('}', at);
        const QByteArray name = url.mid(at + opening.size(), end - at - opening.size());
        if (end < 0 || !isSecretName(name))
            continue;
        out.secretSlots.append(
            {static_cast<int>(at), static_cast<int>(end + 1 - at), name, MaskedText::Encoding::Percent});
    }
    return out;
}

void addUnique(QVector<QByteArray> &names, const QByteArray &name)
{
    if (!names.contains(name))
        names.append(name);
}

} // namespace

QVector<QByteArray> RequestTemplate::Data::names(TemplateText::Kind kind) const
{
    QVector<QByteArray> out;
    eachPiece([&](const TemplateText::Piece &piece) {
        if (piece.kind == kind)
            addUnique(out, piece.text);
    });
    return out;
}

tl::expected<Request, QString> RequestTemplate::Data::finish(Request request,
                                                             const TemplateText::Values &values) const
{
    request.method = method;
    request.headers.reserve(headers.size());
    for (const HeaderTemplate &header : headers) {
        auto value = header.value.render(values);
        if (!value)
            return tl::unexpected<QString>(std::move(value.error()));
        request.headers.append({header.name, std::move(*value)});
    }
    if (body.pieces().isEmpty())
        return request;
    auto text = body.render(values);
    if (!text)
        return tl::unexpected<QString>(std::move(text.error()));
    request.body = std::move(*text);
    return request;
}

RequestTemplate::RequestTemplate(std::shared_ptr<const Data> data)
    : d(std::move(data))
{}

tl::expected<RequestTemplate, Problems> RequestTemplate::compile(const Settings &settings)
{
    const RequestSettings &request = settings.request;
    Problems problems;
    const auto parsed = [&](const QString &text, Place place, Encoding encoding, const QString &key) {
        auto out = TemplateText::parse(text.toUtf8(), place, encoding, key);
        if (!out)
            problems += out.error();
        return out.value_or(TemplateText());
    };
    auto data = std::make_shared<Data>();
    data->method = request.method.toUtf8();
    data->trim = settings.input.trim;
    data->normaliser = UrlNormaliser(settings.input.scheme.toUtf8());
    data->url = parsed(request.url, Place::Url, Encoding::Percent, QStringLiteral("request.url"));
    if (request.url.isEmpty())
        problems.append({Problem::Severity::Error, QStringLiteral("request.url"),
                         QStringLiteral("it is empty"),
                         QStringLiteral("{url} takes the address of the row")});
    for (const auto &[name, value] : request.headers) {
        const QString key = QStringLiteral("request.headers.") + name;
        if (!isToken(name.toUtf8()))
            problems.append({Problem::Severity::Error, key, QStringLiteral("this is no name of a header"),
                             QStringLiteral("use letters, digits and hyphens")});
        data->headers.append({name.toUtf8(), parsed(value, Place::Header, Encoding::Raw, key)});
    }
    const Encoding encoding = bodyEncoding(request);
    data->body = parsed(request.body, Place::Body, encoding, QStringLiteral("request.body"));
    // Where nobody names a type, Qt calls every body a form, JSON too.
    if (!request.body.isEmpty() && !namedType(request))
        data->headers.append(
            {"Content-Type", *TemplateText::parse(typeOf(encoding), Place::Header, Encoding::Raw, {})});
    if (!problems.isEmpty())
        return tl::unexpected<Problems>(std::move(problems));
    return RequestTemplate(std::move(data));
}

tl::expected<Request, QString> RequestTemplate::render(const QByteArray &url, const InputColumns &input) const
{
    const TemplateText::Values values{url, input, d->trim};
    tl::expected<MaskedText, QString> text =
        d->url.isUrlAlone() ? MaskedText{d->trim ? trimmedText(url).toByteArray() : url, {}}
                            : d->url.render(values);
    if (text)
        text = d->normaliser.normalised(std::move(*text));
    if (!text)
        return tl::unexpected<QString>(std::move(text.error()));
    Request request;
    request.url = std::move(*text);
    return d->finish(std::move(request), values);
}

tl::expected<Request, QString> RequestTemplate::renderReceived(const QByteArray &url,
                                                               const InputColumns &input, bool nextPage) const
{
    auto text = d->normaliser.normalised(withSlots(url));
    if (!text)
        return tl::unexpected<QString>(std::move(text.error()));
    Request request;
    request.url = std::move(*text);
    if (!nextPage)
        return request;
    return d->finish(std::move(request), {url, input, d->trim});
}

QVector<QByteArray> RequestTemplate::columns() const
{
    return d->names(TemplateText::Kind::Column);
}

QVector<QByteArray> RequestTemplate::missingColumns(const QVector<QByteArray> &names) const
{
    QVector<QByteArray> out = columns();
    out.removeIf([&](const QByteArray &name) { return names.contains(name); });
    return out;
}

QVector<QByteArray> RequestTemplate::secrets() const
{
    return d->names(TemplateText::Kind::Secret);
}

bool RequestTemplate::usesUrl() const
{
    return !d->names(TemplateText::Kind::Url).isEmpty();
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/net/secretfill.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace muster {

namespace {

// Shorter values would match by chance all over a URL.
constexpr qsizetype shortestMasked = 6;

QByteArray jsonEscaped(const QByteArray &value)
{
    QByteArray out;
    for (const char c : value) {
        const auto u = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += '\\';
        if (u < 0x20)
            out += "\\u00" + QByteArray::number(u, 16).rightJustified(2, '0');
        else
            out += c;
    }
    return out;
}

QByteArray written(const QByteArray &value, MaskedText::Encoding encoding)
{
    switch (encoding) {
    case MaskedText::Encoding::Percent:
        return value.toPercentEncoding();
    case MaskedText::Encoding::Json:
        return jsonEscaped(value);
    case MaskedText::Encoding::Form:
        return value.toPercentEncoding(QByteArray(" ")).replace(' ', '+');
    case MaskedText::Encoding::Raw:
        break;
    }
    return value;
}

/// How many characters of `text` from `at` on spell `value`, each plain or as %XX; 0: they do not.
qsizetype spelled(QByteArrayView text, qsizetype at, const QByteArray &value)
{
    const qsizetype begin = at;
    for (const char c : value) {
        if (at >= text.size())
            return 0;
        if (text[at] == c && c != '%') {
            ++at;
        } else if (text[at] == '%' && at + 2 < text.size() &&
                   QByteArray::fromHex(text.sliced(at + 1, 2).toByteArray()) == QByteArrayView(&c, 1)) {
            at += 3;
        } else if (c == ' ' && text[at] == '+') {
            ++at;
        } else {
            return 0;
        }
    }
    return at - begin;
}

} // namespace

tl::expected<QByteArray, QByteArray> fillSecrets(const MaskedText &text, const SecretBook *book)
{
    if (!text.hasSecrets())
        return text.text;
    QByteArray out;
    qsizetype from = 0;
    for (const MaskedText::Slot &slot : text.secretSlots) {
        if (!book)
            return tl::unexpected(slot.name);
        const auto it = book->find(slot.name);
        if (it == book->end())
            return tl::unexpected(slot.name);
        out += QByteArrayView(text.text).sliced(from, slot.at - from);
        out += written(it->second.use(), slot.encoding);
        from = slot.at + slot.length;
    }
    out += QByteArrayView(text.text).sliced(from);
    return out;
}

MaskedText maskSecrets(const QByteArray &url, const SecretBook *book)
{
    MaskedText out;
    out.text = url;
    if (!book)
        return out;
    std::vector<SecretBook::const_iterator> known;
    for (auto it = book->begin(); it != book->end(); ++it)
        if (it->second.use().size() >= shortestMasked)
            known.push_back(it);
    if (known.empty())
        return out;
    std::stable_sort(known.begin(), known.end(), [](const auto &a, const auto &b) {
        return a->second.use().size() > b->second.use().size();
    });
    out.text.clear();
    for (qsizetype at = 0; at < url.size();) {
        qsizetype length = 0;
        const auto hit = std::find_if(known.begin(), known.end(), [&](const auto &it) {
            return (length = spelled(url, at, it->second.use())) > 0;
        });
        if (hit == known.end()) {
            out.text += url[at++];
            continue;
        }
        const bool plain = QByteArrayView(url).sliced(at, length) == QByteArrayView((*hit)->second.use());
        const QByteArray shown = "{secret:" + (*hit)->first + '}';
        out.secretSlots.append({static_cast<int>(out.text.size()), static_cast<int>(shown.size()),
                                (*hit)->first,
                                plain ? MaskedText::Encoding::Raw : MaskedText::Encoding::Percent});
        out.text += shown;
        at += length;
    }
    return out;
}

} // namespace muster

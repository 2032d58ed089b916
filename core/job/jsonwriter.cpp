// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/jsontree.h"

namespace muster {

namespace {

const char *shortEscape(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return nullptr;
    }
}

} // namespace

void appendJsonString(QByteArray &out, QByteArrayView text)
{
    out.reserve(out.size() + text.size() + 2);
    out += '"';
    qsizetype plain = 0; // first byte not yet written
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\')
            continue;
        out += text.sliced(plain, i - plain);
        plain = i + 1;
        if (const char *escape = shortEscape(c))
            out += escape;
        else
            out += "\\u00" + QByteArray::number(c, 16).rightJustified(2, '0');
    }
    out += text.sliced(plain);
    out += '"';
}

void JsonObjectWriter::begin(QByteArrayView name)
{
    if (!isEmpty())
        m_out += ',';
    appendJsonString(m_out, name);
    m_out += ':';
}

void JsonObjectWriter::addText(QByteArrayView name, QByteArrayView text)
{
    begin(name);
    appendJsonString(m_out, text);
}

void JsonObjectWriter::addRaw(QByteArrayView name, QByteArrayView json)
{
    begin(name);
    m_out += json;
}

QByteArray JsonObjectWriter::take()
{
    m_out += '}';
    return std::exchange(m_out, QByteArray("{"));
}

QVector<JsonField> readFields(const QByteArray &object)
{
    QVector<JsonField> fields;
    if (object.isEmpty())
        return fields;
    const auto tree = JsonTree::parse(object);
    if (!tree || (*tree)->root().type() != JsonValue::Type::Object)
        return fields;
    const JsonValue root = (*tree)->root();
    fields.reserve(root.size());
    for (qsizetype i = 0; i < root.size(); ++i)
        fields.append({root.name(i).toByteArray(), root.at(i).cell(), root.at(i).json()});
    return fields;
}

} // namespace muster

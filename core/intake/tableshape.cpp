// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/intake/tableshape.h"

#include <algorithm>
#include <optional>
#include <QSet>

namespace muster {

namespace {

constexpr QByteArrayView separators = ",;\t|"; ///< of two as frequent ones the first wins

/// How often `c` stands outside quotes.
qsizetype countOutside(QByteArrayView line, char c)
{
    bool inside = false;
    qsizetype count = 0;
    for (const char x : line) {
        inside = inside != (x == '"');
        count += !inside && x == c;
    }
    return count;
}

/// The first row from `from` on that is not blank; a line break in quotes does not end it.
QByteArrayView rowIn(QByteArrayView text, qsizetype &from)
{
    while (from < text.size()) {
        const qsizetype begin = from;
        bool inside = false;
        while (from < text.size() && (inside || (text[from] != '\n' && text[from] != '\r'))) {
            inside = inside != (text[from] == '"');
            ++from;
        }
        const QByteArrayView row = text.sliced(begin, from - begin);
        ++from;
        if (!row.trimmed().isEmpty())
            return row;
    }
    return {};
}

char mostFrequent(QByteArrayView header)
{
    char best = ',';
    qsizetype most = 0;
    for (const char c : separators) {
        if (const qsizetype count = countOutside(header, c); count > most) {
            most = count;
            best = c;
        }
    }
    return best;
}

bool isUrlName(QByteArrayView cell)
{
    cell = cell.trimmed();
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
        cell = cell.sliced(1, cell.size() - 2).trimmed();
    return cell.compare("url", Qt::CaseInsensitive) == 0;
}

bool hasUrlName(QByteArrayView header, char separator)
{
    const auto cells = header.toByteArray().split(separator);
    return std::any_of(cells.begin(), cells.end(), [](const QByteArray &cell) { return isUrlName(cell); });
}

bool looksLikeTable(QByteArrayView head, char separator)
{
    qsizetype at = 0;
    const QByteArrayView first = rowIn(head, at);
    if (first.trimmed().startsWith('#') || first.contains("://"))
        return false;
    if (hasUrlName(first, separator))
        return true;
    const qsizetype count = countOutside(first, separator);
    const QByteArrayView second = rowIn(head, at);
    return count > 0 && countOutside(second, separator) == count &&
           (second.contains("http://") || second.contains("https://"));
}

QString plainName(const QString &source)
{
    const QString name = source.toLower();
    return name.endsWith(QLatin1String(".gz")) ? name.chopped(3) : name;
}

bool isTabName(const QString &name)
{
    return name.endsWith(QLatin1String(".tsv")) || name.endsWith(QLatin1String(".tab"));
}

std::optional<char> givenSeparator(const QString &text)
{
    if (text == QLatin1String("tab") || text == QLatin1String("\\t"))
        return '\t';
    const QByteArray bytes = text.toUtf8();
    const bool fit = bytes.size() == 1 && !QByteArrayView("\"\r\n").contains(bytes[0]) && bytes[0] != 0;
    return fit ? std::optional(bytes[0]) : std::nullopt;
}

Problem problem(const QString &place, const QString &reason, const QString &mend)
{
    return {Problem::Severity::Error, place, reason, mend};
}

} // namespace

tl::expected<TableShape, Problem> shapeOf(QByteArrayView head, const QString &source,
                                          const InputSettings &input, bool templateNamesColumns)
{
    if (input.format != QLatin1String("auto") && input.format != QLatin1String("lines") &&
        input.format != QLatin1String("csv"))
        return tl::unexpected<Problem>(
            problem(QStringLiteral("input.format"),
                    QStringLiteral("\"%1\" is not a format that this version reads").arg(input.format),
                    QStringLiteral("use auto, lines or csv")));
    if (input.format == QLatin1String("auto") && head.trimmed().startsWith('<'))
        return tl::unexpected<Problem>(problem(
            source, QStringLiteral("it begins with <, so it is XML or HTML and neither a list nor a table"),
            QStringLiteral("give a list of addresses or a CSV; sitemaps come with a later version")));
    const QString name = plainName(source);
    TableShape shape;
    if (input.separator == QLatin1String("auto")) {
        qsizetype at = 0;
        shape.separator = isTabName(name) ? '\t' : mostFrequent(rowIn(head, at));
    } else if (const std::optional<char> given = givenSeparator(input.separator)) {
        shape.separator = *given;
    } else {
        return tl::unexpected<Problem>(
            problem(QStringLiteral("input.separator"),
                    QStringLiteral("\"%1\" is not a separator").arg(input.separator),
                    QStringLiteral("use auto, one character, or tab")));
    }
    if (input.format == QLatin1String("auto"))
        shape.table = isTabName(name) || name.endsWith(QLatin1String(".csv")) || templateNamesColumns ||
                      !input.column.isEmpty() || looksLikeTable(head, shape.separator);
    else
        shape.table = input.format == QLatin1String("csv");
    return shape;
}

QVector<QByteArray> uniqueNames(QVector<QByteArray> names, bool trim)
{
    QSet<QByteArray> taken;
    for (qsizetype i = 0; i < names.size(); ++i) {
        QByteArray name = trim ? names[i].trimmed() : names[i];
        if (name.isEmpty())
            name = "column" + QByteArray::number(i + 1);
        const QByteArray plain = name;
        for (int n = 2; taken.contains(name); ++n)
            name = plain + '.' + QByteArray::number(n);
        taken.insert(name);
        names[i] = name;
    }
    return names;
}

QString listOfColumns(const QVector<QByteArray> &names)
{
    constexpr qsizetype most = 20;
    if (names.isEmpty())
        return QStringLiteral("there are no columns");
    QString out = QStringLiteral("the columns are ");
    for (qsizetype i = 0; i < std::min(most, names.size()); ++i)
        out += (i > 0 ? QStringLiteral(", ") : QString()) + QString::fromUtf8(names[i]);
    return names.size() > most ? QString(out + QStringLiteral(" and %1 more").arg(names.size() - most)) : out;
}

tl::expected<qsizetype, Problem> urlColumn(const QVector<QByteArray> &names, const QString &wanted)
{
    const QByteArray exact = wanted.isEmpty() ? QByteArrayLiteral("url") : wanted.toUtf8();
    if (const qsizetype i = names.indexOf(exact); i >= 0)
        return i;
    const QString name = QString::fromUtf8(exact);
    for (qsizetype i = 0; i < names.size(); ++i)
        if (QString::fromUtf8(names[i]).compare(name, Qt::CaseInsensitive) == 0)
            return i;
    if (wanted.isEmpty() && names.size() == 1)
        return 0;
    const QString reason = wanted.isEmpty() ? QStringLiteral("no column is called url")
                                            : QStringLiteral("there is no column \"%1\"").arg(wanted);
    return tl::unexpected<Problem>(
        problem(QStringLiteral("input.column"), QString(reason + QStringLiteral("; ") + listOfColumns(names)),
                QStringLiteral("name the one that holds the addresses (--column NAME), or "
                               "write a template")));
}

} // namespace muster

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>
#include <QFile>
#include <QRandomGenerator>
#include <QStringEncoder>
#include <QtTest/QtTest>

#include "core/intake/importer.h"
#include "tests/unit/importbench.h"

using namespace muster;

class TestImporter final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lines()
    {
        const auto out = import("\xef\xbb\xbfhttp://a.test/1\r\n\n# a comment\r  http://A.test/2 \t\n  # "
                                "another\na.test\nftp://a/\n"
                                "http://a.test/x");
        QVERIFY(out.read.has_value());
        QCOMPARE(out.urls(),
                 QByteArrayList({"http://a.test/1", "http://A.test/2", "a.test", "http://a.test/x"}));
        QCOMPARE(out.refused(), QByteArrayList({"7"}));
        QCOMPARE(out.begun.size(), 1);
        QCOMPARE(out.begun[0].format, QStringLiteral("lines"));
        QCOMPARE(out.begun[0].encoding, QStringLiteral("UTF-8"));
        QCOMPARE(out.begun[0].source, QStringLiteral("in"));
        QVERIFY(out.begun[0].columns.isEmpty() && out.begun[0].separator.isEmpty());
        QCOMPARE(out.read->rows, 5);
        QCOMPARE(out.read->refused, 1);
        QCOMPARE(out.read->bytes, 96);
        QCOMPARE(out.read->firstRefused.first().place, QStringLiteral("line 7"));
        QVERIFY(!out.read->firstRefused.first().mend.isEmpty());
        QCOMPARE(out.rows[1].line, 4);
        QCOMPARE(out.rows[1].host, "a.test");
        QCOMPARE(out.rows[1].identity.size(), 16);
        QVERIFY(out.rows[1].cells.isEmpty());
        QVERIFY(out.rows[3].identity.isEmpty() && out.rows[3].host.isEmpty());
        QCOMPARE(out.rows[3].url, "ftp://a/");
    }

    void emptyList()
    {
        const auto out = import("");
        QCOMPARE(out.read->rows, 0);
        QCOMPARE(out.begun.size(), 1);
    }

    void trimAndScheme()
    {
        Settings s;
        s.input.trim = false;
        s.input.scheme = QStringLiteral("http");
        const auto out = import(" a.test\na.test/b \n   \n #c\n#d\n", s);
        QCOMPARE(out.urls(), QByteArrayList({"a.test/b "}));
        QCOMPARE(out.refused(), QByteArrayList({"1", "4"}));
        QCOMPARE(out.rows[1].host, "a.test");
    }

    void blanksOfAPasteAreTrimmed()
    {
        const auto out = import("\xc2\xa0 \xe2\x80\x8b"
                                "a.test\xe3\x80\x80\xef\xbb\xbf\n\xc2\xa0\n b.test/\xc2\xa0x\n");
        QCOMPARE(out.urls(), QByteArrayList({"a.test", "b.test/\xc2\xa0x"}));
        QCOMPARE(import("url,a\n\xc2\xa0"
                        "a.test,\xc2\xa0\n")
                     .rows.first()
                     .cells,
                 Columns({"\xc2\xa0"
                          "a.test",
                          "\xc2\xa0"}));
        QCOMPARE(import("url,a\n\xc2\xa0"
                        "a.test,\n")
                     .urls(),
                 QByteArrayList({"a.test"}));
    }

    void hostKeyHasNoDot() { QCOMPARE(import("http://ok.test./a").rows.first().host, "ok.test"); }

    void ranges()
    {
        const auto out = import("http://a.test/{1..3}/{x,y}\nhttp://a.test/{3..1}\nhttp://a.test/{name}\n");
        QCOMPARE(out.urls(), QByteArrayList({"http://a.test/1/x", "http://a.test/1/y", "http://a.test/2/x",
                                             "http://a.test/2/y", "http://a.test/3/x", "http://a.test/3/y",
                                             "http://a.test/{name}"}));
        QCOMPARE(out.rows[5].line, 1);
        QCOMPARE(out.refused(), QByteArrayList({"2"}));
        Settings s;
        s.request.url = QStringLiteral("{in.url}");
        QCOMPARE(import("url\nhttp://a.test/{1..3}\n", s).rows.size(), 1); // of lists only
    }

    void batchesAreBounded()
    {
        const auto many = import("http://a.test/{1..12000}");
        QCOMPARE(many.rows.size(), 12000);
        QCOMPARE(many.largestBatch, 5000);
        const auto big =
            import(QByteArray("http://a.test/" + QByteArray(1'000'000, 'x') + '\n').repeated(20));
        QCOMPARE(big.read->rows, 20);
        QCOMPARE(big.read->refused, 0);
        QVERIFY(big.largestBatch <= 5);
    }

    // UR-06
    void longLines()
    {
        const auto out = import("http://a.test/" + QByteArray(2'000'000, 'x') + "\n" +
                                QByteArray(5'000'000, 'x') + "\na.test\n");
        QCOMPARE(out.refused(), QByteArrayList({"1", "2"}));
        QVERIFY(out.rows[0].refused.contains(QLatin1String("1,048,576")));
        QCOMPARE(out.rows[0].url.size(), 2'000'014);
        QVERIFY(out.rows[1].refused.contains(QLatin1String("4,194,304")));
        QCOMPARE(out.urls(), QByteArrayList({"a.test"}));
    }

    void table()
    {
        const auto out = import("name;URL;name;\nx;http://a.test/1;y\n\nz; http://a.test/2 "
                                ";\"a\nb\";;;\nz;ftp://b\n1;2;3;4;5\nx\"y\nq;a.test\n");
        QCOMPARE(out.begun[0].format, QStringLiteral("csv"));
        QCOMPARE(out.begun[0].separator, QStringLiteral(";"));
        QCOMPARE(out.begun[0].columns, Columns({"name", "URL", "name.2", "column4"}));
        QCOMPARE(out.urls(), QByteArrayList({"http://a.test/1", "http://a.test/2", "a.test"}));
        QCOMPARE(out.refused(), QByteArrayList({"6", "7", "8"}));
        QCOMPARE(out.rows[0].cells, Columns({"x", "http://a.test/1", "y"}));
        QCOMPARE(out.rows[1].cells, Columns({"z", " http://a.test/2 ", "a\nb", ""}));
        QCOMPARE(out.rows[1].line, 4);
        QVERIFY(out.rows[3].refused.contains(QLatin1String("5 cells and the table 4 columns")));
    }

    void templateOfColumns()
    {
        Settings s;
        s.request.url = QStringLiteral("https://api.test/?q={city}&key={secret:k}");
        const auto out = import("city,url\n\"S\xc3\xa3o Paulo\",x\n,y\n", s);
        QCOMPARE(out.urls(), QByteArrayList({"https://api.test/?q=S%C3%A3o%20Paulo&key={secret:k}",
                                             "https://api.test/?q=&key={secret:k}"}));
        QCOMPARE(out.rows[0].host, "api.test");
        s.request.url = QStringLiteral("https://api.test/?u={url}");
        QCOMPARE(import("city,url\na,http://x.test/\n", s).urls(), QByteArrayList({"http://x.test/"}));
    }

    void withoutHeader()
    {
        Settings s;
        s.input.header = false;
        s.input.format = QStringLiteral("csv");
        s.input.column = QStringLiteral("column2");
        const auto out = import("1\thttp://a.test/1\n2\thttp://a.test/2\n", s);
        QCOMPARE(out.begun[0].columns, Columns({"column1", "column2"}));
        QCOMPARE(out.begun[0].separator, QStringLiteral("tab"));
        QCOMPARE(out.urls(), QByteArrayList({"http://a.test/1", "http://a.test/2"}));
        QCOMPARE(out.rows[0].line, 1);
    }

    void wholeIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Settings>("settings");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char *name, const QByteArray &text, const Settings &s, const char *place,
                            const char *reason) {
            QTest::newRow(name) << text << s << QString::fromUtf8(place) << QString::fromUtf8(reason);
        };
        Settings csv;
        csv.input.format = QStringLiteral("csv");
        Settings city;
        city.request.url = QStringLiteral("http://a.test/{city}");
        Settings cityLines = city;
        cityLines.input.format = QStringLiteral("lines");
        Settings constant;
        constant.request.url = QStringLiteral("http://a.test/");
        Settings encoding;
        encoding.input.encoding = QStringLiteral("utf-99");
        Settings broken;
        broken.request.url = QStringLiteral("{");
        row("no column url", "a,b\n1,2\n", csv, "input.column", "the columns are a, b");
        row("column not there", "City,b\n1,2\n", city, "request", "\"city\"; the columns are City, b");
        row("columns of lines", "a\n", cityLines, "request", "lines have no columns");
        row("no {url}", "a\n", constant, "request.url", "every line");
        row("empty table", "\n\n", csv, "in", "is empty");
        row("bad header", "a,b\"\n1,2\n", csv, "line 1", "quote in the middle");
        row("encoding", "a\n", encoding, "input.encoding", "\"utf-99\"");
        row("template", "a\n", broken, "request.url", "no partner");
        row("XML", "<?xml version=\"1.0\"?>\n<urlset>", {}, "in", "XML or HTML");
        row("workbook", QByteArray("PK\x03\x04") + "xl/workbook", {}, "in", "ZIP archive");
        row("UTF-16 without a mark", encoded("UTF-16LE", QStringLiteral("http://a.test/\n")), {}, "in",
            "UTF-16 without a mark");
        row("gzip cut", packed(QByteArray("http://a.test/\n").repeated(1000)).chopped(9), {}, "in",
            "ends in the middle");
        row("gzip damaged", packed("http://a.test/\n").replace(12, 4, "\xff\xff\xff\xff"), {}, "in",
            "damaged");
        row("gzip, wrong checksum", packed("http://a.test/\n").chopped(8) + "12345678", {}, "in", "damaged");
        row("gzip and more", packed("http://a.test/\n") + "more", {}, "in", "something follows");
        row("gzip, only its mark", "\x1f\x8b", {}, "in", "ends in the middle");
    }
    void wholeIsRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(Settings, settings);
        QFETCH(QString, place);
        QFETCH(QString, reason);
        const auto out = import(text, settings);
        QVERIFY(!out.read.has_value());
        QVERIFY(out.begun.isEmpty() && out.rows.isEmpty());
        QCOMPARE(out.problem.place, place);
        QVERIFY2(out.problem.reason.contains(reason), qPrintable(out.problem.reason));
        QVERIFY(!out.problem.mend.isEmpty());
    }

    void deviceThatFails()
    {
        Broken device;
        const auto out = import(device, {}, QStringLiteral("bad.txt"));
        QVERIFY(out.problem.reason.contains(QLatin1String("Input/output error")));
        QCOMPARE(out.problem.place, QStringLiteral("bad.txt"));
        QFile folder(QStringLiteral("/"));
        QVERIFY(!folder.open(QIODevice::ReadOnly) || !import(folder, {}, {}).read.has_value());
    }

    void gzip()
    {
        const QByteArray one = packed(QByteArray("http://a.test/\n").repeated(50'000));
        const auto out = import(one + packed("") + packed("http://b.test/\n") + QByteArray(700, '\0'));
        QCOMPARE(out.read->rows, 50'001);
        QCOMPARE(out.rows.last().host, "b.test");
        QCOMPARE(out.read->bytes, one.size() + packed("").size() + packed("http://b.test/\n").size() + 700);
        Settings s;
        s.input.encoding = QStringLiteral("utf-8");
        QCOMPARE(import(packed("http://a.test/\n"), s).urls(), QByteArrayList({"http://a.test/"}));
        QVERIFY(!import(packed(QByteArray("http://a.test/\n").repeated(99)).chopped(9), s).read.has_value());
        QCOMPARE(import("\x1f").read->rows, 1); // one byte is not gzip
    }

    void encodings_data()
    {
        QTest::addColumn<QByteArray>("encoding");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("found");
        const auto row = [](const char *name, const char *encoding, const char *text, const char *found) {
            QTest::newRow(name) << QByteArray(encoding) << QString::fromUtf8(text)
                                << QString::fromUtf8(found);
        };
        row("GBK, Chinese cities", "GBK",
            "北京市|上海市|广州市|深圳市|成都市|重庆市|天津市|武汉市|西安市|南京市", "GB18030");
        row("Big5", "Big5", "臺北市|高雄市|臺中市|臺南市|新北市|桃園市|基隆市|新竹市|嘉義市|花蓮縣", "BIG5");
        row("Shift_JIS", "Shift_JIS", "東京都|おおさか|きょうと|よこはま|なごや|サッポロ|フクオカ|こうべ",
            "SHIFT_JIS");
        row("EUC-KR", "EUC-KR",
            "서울특별시|부산광역시|대구광역시|인천광역시|광주광역시|대전광역시|울산광역시", "");
        row("windows-1251", "windows-1251",
            "Москва|Санкт-Петербург|Новосибирск|Екатеринбург|Нижний Новгород|Казань|Челябинск",
            "WINDOWS-1251");
        row("windows-1252", "windows-1252",
            "München|Köln|Düsseldorf|Nürnberg|Saarbrücken|Zürich|Orléans|Besançon|Málaga", "");
        row("UTF-16", "UTF-16", "北京市|München|😀", "UTF-16");
        row("UTF-8", "UTF-8", "北京市|München|😀", "UTF-8");
    }
    void encodings()
    {
        QFETCH(QByteArray, encoding);
        QFETCH(QString, text);
        QFETCH(QString, found);
        Settings s;
        s.request.url = QStringLiteral("http://a.test/{city}");
        const QStringList cities = text.split(QLatin1Char('|'));
        QStringEncoder encoder(encoding.constData(), QStringConverter::Flag::WriteBom);
        const QByteArray bytes = encoder.encode(
            QString(QStringLiteral("id,city\n1,plain\n2,") + cities.join(QStringLiteral("\n3,"))));
        QByteArrayList expected{"http://a.test/plain"};
        for (const QString &city : cities)
            expected += "http://a.test/" + city.toUtf8().toPercentEncoding();
        const auto out = import(bytes, s);
        QVERIFY2(out.read.has_value(), qPrintable(out.problem.reason));
        if (!found.isEmpty())
            QCOMPARE(out.begun[0].encoding, found);
        QCOMPARE(out.urls(), expected);
        Pieces pieces(bytes, 1);
        QCOMPARE(import(pieces, s, QStringLiteral("in")).all(), out.all());
        s.input.encoding = QString::fromLatin1(encoding);
        QCOMPARE(import(bytes, s).urls(), expected);
    }

    void bytesThatTheEncodingDoesNotHave()
    {
        Settings s;
        s.input.encoding = QStringLiteral("utf-8");
        const auto out = import("http://a.test/\xff\nhttp://a.test/b\n", s);
        QCOMPARE(out.refused(), QByteArrayList({"1"}));
        QVERIFY(out.rows[0].refused.contains(QLatin1String("utf-8 does not know")));
        QCOMPARE(out.urls(), QByteArrayList({"http://a.test/b"}));
        QCOMPARE(import("url\nhttp://a.test/\xff\nhttp://a.test/b\n", s).refused(), QByteArrayList({"2"}));
        QCOMPARE(import("http://a.test/\xef\xbf\xbd\n").refused().size(), 0); // one that was meant
        // A mark promises UTF-8, and one line breaks the promise.
        QCOMPARE(import("\xef\xbb\xbf"
                        "a.test/\xff\na.test/b\n")
                     .refused(),
                 QByteArrayList({"1"}));
    }

    void controlCharacters()
    {
        const auto out = import(QByteArray("http://a.test/a\0b\nhttp://a.test/\x07\nhttp://a.test/c\n", 50));
        QCOMPARE(out.refused(), QByteArrayList({"1", "2"}));
        Settings s;
        s.request.url = QStringLiteral("http://a.test/{a}");
        const auto table = import(QByteArray("a,b\nx\0y,z\n", 10), s);
        QCOMPARE(table.rows.first().cells, Columns({QByteArray("x\0y", 3), "z"}));
        QCOMPARE(table.urls(), QByteArrayList({"http://a.test/x%00y"}));
    }

    void cancelled()
    {
        QByteArray text = "http://a.test/{1..20000}\n";
        for (const int batches : {-1, 0, 1, 4}) {
            QBuffer device(&text);
            device.open(QIODevice::ReadOnly);
            int begun = 0;
            int seen = 0;
            Importer::Sink sink;
            sink.begin = [&](const BatchInfo &) { return ++begun > 0 && batches >= 0; };
            sink.rows = [&](const QVector<IntakeRow> &) { return ++seen <= batches; };
            const auto read = Importer(Settings()).read(device, {}, sink);
            QCOMPARE(read->cancelled, batches < 4);
            QCOMPARE(begun, 1);
            QCOMPARE(seen, batches < 4 ? batches + 1 : 4);
        }
    }

    void refusalsAreShownToTwenty()
    {
        const auto out = import(QByteArray("ftp://a\n").repeated(30));
        QCOMPARE(out.read->refused, 30);
        QCOMPARE(out.read->firstRefused.size(), 20);
        QCOMPARE(out.read->firstRefused.last().place, QStringLiteral("line 20"));
    }

    void piecesMakeNoDifference()
    {
        bool given = false;
        quint32 seed = qEnvironmentVariable("MUSTER_SEED").toUInt(&given);
        seed = given ? seed : QRandomGenerator::system()->generate();
        qInfo("MUSTER_SEED=%u", seed);
        QRandomGenerator random(seed);
        const QVector<QByteArray> parts{
            "a.test", "http://b.test/", "\r\n",   "\n", "\r", ",", "\"", "\"\"", "#",
            " ",      "\xe5\x8c\x97",   "{1..3}", "{",  "}",  "%", "\\", "url"};
        for (int i = 0; i < 60; ++i) {
            QByteArray text = random.bounded(2) ? "name,url\n" : "";
            for (int n = random.bounded(400); n > 0; --n)
                text += parts[random.bounded(int(parts.size()))];
            const QByteArray bytes = random.bounded(4) ? text : packed(text);
            const auto whole = import(bytes);
            for (const qint64 piece : {1, 7}) {
                Pieces pieces(bytes, piece);
                const auto out = import(pieces, {}, QStringLiteral("in"));
                QCOMPARE(out.all(), whole.all());
                QCOMPARE(out.problem, whole.problem);
                QCOMPARE(out.read.has_value(), whole.read.has_value());
            }
        }
    }

    // ME-01
    void memoryDoesNotGrow()
    {
        qint64 peak = 0;
        qint64 start = 0;
        for (const qint64 lines : {20'000, 200'000}) {
            Generated device(lines);
            Importer::Sink sink;
            qint64 seen = 0;
            QByteArray last;
            sink.begin = [](const BatchInfo &) { return true; };
            sink.rows = [&](const QVector<IntakeRow> &rows) {
                seen += rows.size();
                last = rows.last().url;
                peak = std::max(peak, residentKiB());
                return true;
            };
            const auto read = Importer(Settings()).read(device, {}, sink);
            QCOMPARE(read->rows, lines);
            QCOMPARE(read->refused, 0);
            QCOMPARE(seen, lines);
            QVERIFY(last.endsWith(QByteArray::number(lines - 1)));
            if (start == 0)
                start = peak;
        }
        qInfo("resident after 20,000 lines %lld KiB, after 200,000 %lld KiB", start, peak);
#ifdef __SANITIZE_ADDRESS__
        constexpr qint64 most = 400 * 1024; // it holds freed memory back
#else
        constexpr qint64 most = 8 * 1024;
#endif
        QVERIFY(peak - start < most);
    }
};

Q_DECLARE_METATYPE(Settings)
QTEST_GUILESS_MAIN(TestImporter)
#include "tst_importer.moc"

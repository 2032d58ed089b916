// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <sys/stat.h>

#include "core/settings/secretfile.h"
#include "core/settings/secretlookup.h"

using namespace muster;

class TestSecretLookup final : public QObject
{
    Q_OBJECT

    static constexpr const char *canary = "c4n4ry-value";

    QTemporaryDir m_dir;

    QString path(const char *name) const { return m_dir.filePath(QLatin1String(name)); }

    static void write(const QString &path, const QByteArray &content, mode_t mode = 0600)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile::remove(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        QCOMPARE(::chmod(QFile::encodeName(path).constData(), mode), 0);
    }

    static mode_t modeOf(const QString &path)
    {
        struct stat st = {};
        return ::stat(QFile::encodeName(path).constData(), &st) == 0 ? st.st_mode & 07777 : 0;
    }

    static QByteArray valueOf(const SecretLookup &lookup, const char *name)
    {
        const auto it = lookup.book.find(name);
        return it == lookup.book.end() ? QByteArray() : it->second.use();
    }

    SecretPlaces allPlaces() const
    {
        write(path("given"), "a=1-given\n");
        write(path("cred/muster-secrets"), "a=2-cred\nb=2-cred\n", 0440);
        write(path("config/muster/secrets"), "a=4-stored\nb=4-stored\nc=4-stored\nd=4-stored\n");
        return SecretPlaces::of({{"CREDENTIALS_DIRECTORY", path("cred").toLocal8Bit()},
                                 {"XDG_CONFIG_HOME", path("config").toLocal8Bit()},
                                 {"MUSTER_SECRET_A", "3-env"},
                                 {"MUSTER_SECRET_B", "3-env"},
                                 {"MUSTER_SECRET_C", "3-env"},
                                 {"MUSTER_SECRET_D", ""}},
                                path("given"));
    }

private Q_SLOTS:
    void theFirstPlaceWins()
    {
        const SecretLookup lookup = lookUpSecrets({"a", "b", "c", "d"}, allPlaces());
        QVERIFY2(lookup.problems.isEmpty(),
                 lookup.problems.isEmpty() ? "" : qPrintable(sentence(lookup.problems[0])));
        QCOMPARE(valueOf(lookup, "a"), QByteArray("1-given"));
        QCOMPARE(valueOf(lookup, "b"), QByteArray("2-cred"));
        QCOMPARE(valueOf(lookup, "c"), QByteArray("3-env"));
        QCOMPARE(valueOf(lookup, "d"), QByteArray("4-stored")); // an empty variable is none
        QCOMPARE(lookup.sources.at("a"), SecretSource::SecretsFile);
        QCOMPARE(lookup.sources.at("b"), SecretSource::Credentials);
        QCOMPARE(lookup.sources.at("c"), SecretSource::Environment);
        QCOMPARE(lookup.sources.at("d"), SecretSource::StoredFile);
        QSet<QString> names;
        for (const auto &[name, source] : lookup.sources) {
            QCOMPARE(isStored(source), name == "d");
            names.insert(secretSourceName(source));
        }
        QCOMPARE(names.size(), 4);
    }

    void onlyWhatIsAskedFor()
    {
        const SecretLookup lookup = lookUpSecrets({"b"}, allPlaces());
        QCOMPARE(lookup.book.size(), std::size_t(1));
    }

    void lackingOnesAreNamed()
    {
        SecretPlaces nowhere;
        const SecretLookup lookup = lookUpSecrets({"maps", "Bad-Name"}, nowhere);
        QVERIFY(lookup.book.empty());
        QCOMPARE(lookup.problems.size(), 2);
        QCOMPARE(lookup.problems[0].place, QStringLiteral("{secret:Bad-Name}"));
        QCOMPARE(lookup.problems[1].place, QStringLiteral("{secret:maps}"));
        QVERIFY(lookup.problems[1].mend.contains(QLatin1String("MUSTER_SECRET_MAPS")));
    }

    void modes_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("good");
        for (const int mode : {0600, 0400, 0700, 0640, 0604, 0660, 0601, 0644, 0620})
            QTest::addRow("%o", mode) << mode << ((mode & 077) == 0);
    }
    void modes()
    {
        QFETCH(int, mode);
        QFETCH(bool, good);
        write(path("modes"), "a=" + QByteArray(canary) + '\n', static_cast<mode_t>(mode));
        for (const bool stored : {false, true}) {
            SecretPlaces places;
            (stored ? places.storedFile : places.secretsFile) = path("modes");
            const SecretLookup lookup = lookUpSecrets({"a"}, places);
            QCOMPARE(lookup.book.contains("a"), good);
            QCOMPARE(lookup.problems.isEmpty(), good);
            if (!good) {
                QVERIFY(lookup.problems[0].mend.contains(QLatin1String("chmod 600")));
                QVERIFY(lookup.problems[0].reason.contains(QString::number(mode, 8)));
            }
        }
    }

    void lines()
    {
        write(path("lines"), "# comment\n\n  \nMaps=v=1 \r\nkey_2= two words\n other =x\nlast=no end");
        const auto book = readSecretFile(path("lines"), SecretFileMode::OwnerOnly, false);
        QVERIFY(book);
        QCOMPARE(book->at("maps").use(), QByteArray("v=1 "));
        QCOMPARE(book->at("key_2").use(), QByteArray(" two words"));
        QCOMPARE(book->at("other").use(), QByteArray("x"));
        QCOMPARE(book->at("last").use(), QByteArray("no end"));
        QCOMPARE(book->size(), std::size_t(4));
    }

    void brokenFilesAreToldWithoutTheirContent_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("place");
        QTest::newRow("no name") << QByteArray("a=1\n" + QByteArray(canary) + "\n")
                                 << QStringLiteral(", line 2");
        QTest::newRow("bad name") << QByteArray("a b=" + QByteArray(canary)) << QStringLiteral(", line 1");
        QTest::newRow("empty name") << QByteArray("=" + QByteArray(canary)) << QStringLiteral(", line 1");
        QTest::newRow("twice") << QByteArray("a=1\nA=" + QByteArray(canary)) << QStringLiteral(", line 2");
        QTest::newRow("large") << QByteArray("a=" + QByteArray(2 * 1024 * 1024, 'c'))
                               << QStringLiteral("broken");
    }
    void brokenFilesAreToldWithoutTheirContent()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, place);
        write(path("broken"), content);
        SecretPlaces places;
        places.secretsFile = path("broken");
        const SecretLookup lookup = lookUpSecrets({"a"}, places);
        QVERIFY(lookup.book.empty());
        QCOMPARE(lookup.problems.size(), 2); // the file, and the name that is lacking for it
        QVERIFY2(lookup.problems[0].place.endsWith(place), qPrintable(lookup.problems[0].place));
        for (const Problem &p : lookup.problems)
            QVERIFY(!sentence(p).contains(QLatin1String(canary)));
    }

    void filesThatAreNone()
    {
        SecretPlaces places;
        places.secretsFile = path("absent");
        QCOMPARE(lookUpSecrets({"a"}, places).problems.size(), 2);
        places.secretsFile = m_dir.path();
        QVERIFY(lookUpSecrets({"a"}, places).problems[0].reason.contains(QLatin1String("no plain file")));
        QCOMPARE(::mkfifo(QFile::encodeName(path("pipe")).constData(), 0600), 0);
        places.secretsFile = path("pipe"); // must not wait for a writer
        QVERIFY(lookUpSecrets({"a"}, places).problems[0].reason.contains(QLatin1String("no plain file")));
        SecretPlaces stored;
        stored.storedFile = path("absent");
        QCOMPARE(lookUpSecrets({"a"}, stored).problems.size(), 1); // no file stored yet is no mistake
    }

    void placesOfAnEnvironment()
    {
        QCOMPARE(SecretPlaces::of({{"HOME", "/h"}}).storedFile, QStringLiteral("/h/.config/muster/secrets"));
        QCOMPARE(SecretPlaces::of({{"HOME", "/h"}, {"XDG_CONFIG_HOME", "/c"}}).storedFile,
                 QStringLiteral("/c/muster/secrets"));
        QCOMPARE(SecretPlaces::of({{"HOME", "/h"}, {"XDG_CONFIG_HOME", "relative"}}).storedFile,
                 QStringLiteral("/h/.config/muster/secrets"));
        QVERIFY(SecretPlaces::of({}).storedFile.isEmpty());
    }

    void storeMakesFolderAndFileForTheOwnerAlone()
    {
        const QString file = path("fresh/muster/secrets");
        QVERIFY(!storeSecret(file, "maps", Secret("v1\r\n")));
        QCOMPARE(modeOf(file), mode_t(0600));
        QCOMPARE(modeOf(QFileInfo(file).path()), mode_t(0700));
        QVERIFY(!storeSecret(file, "other", Secret("=x y= ")));
        QVERIFY(!storeSecret(file, "maps", Secret("v2")));
        const auto book = readSecretFile(file, SecretFileMode::OwnerOnly, false);
        QVERIFY(book);
        QCOMPARE(book->at("maps").use(), QByteArray("v2"));
        QCOMPARE(book->at("other").use(), QByteArray("=x y= "));
        QCOMPARE(modeOf(file), mode_t(0600));
        QCOMPARE(QDir(QFileInfo(file).path()).entryList(QDir::Files | QDir::Hidden),
                 QStringList{QStringLiteral("secrets")}); // no temporary or lock stays
    }

    void storeKeepsTheOtherLines()
    {
        const QString file = path("kept");
        write(file, "# mine\n\na=1\nMAPS=old\nb=2", 0600);
        QVERIFY(!storeSecret(file, "maps", Secret("new")));
        QFile read(file);
        QVERIFY(read.open(QIODevice::ReadOnly));
        QCOMPARE(read.readAll(), QByteArray("# mine\n\na=1\nmaps=new\nb=2\n"));
    }

    void storeRefuses_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("name") << QByteArray("My-Key") << QByteArray(canary);
        QTest::newRow("no name") << QByteArray() << QByteArray(canary);
        QTest::newRow("long name") << QByteArray(65, 'a') << QByteArray(canary);
        QTest::newRow("empty") << QByteArray("a") << QByteArray("\n");
        QTest::newRow("two lines") << QByteArray("a") << QByteArray(QByteArray(canary) + "\nb=1\n");
        QTest::newRow("nul") << QByteArray("a") << QByteArray(QByteArray(canary) + '\0');
    }
    void storeRefuses()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        const QString file = path("refused/secrets");
        const auto problem = storeSecret(file, name, Secret(value));
        QVERIFY(problem);
        QVERIFY(!problem->mend.isEmpty());
        QVERIFY(!sentence(*problem).contains(QLatin1String(canary)));
        QVERIFY(!QFile::exists(file));
    }

    void storeWillNotUseAnOpenFile()
    {
        const QString file = path("open");
        write(file, "a=1\n", 0644);
        const auto problem = storeSecret(file, "b", Secret("x"));
        QVERIFY(problem);
        QVERIFY(problem->mend.contains(QLatin1String("chmod 600")));
        QCOMPARE(QFileInfo(file).size(), 4);
    }

    void storeTellsWhereItCannotWrite()
    {
        write(path("plain"), "x");
        const auto problem = storeSecret(path("plain") + QStringLiteral("/muster/secrets"), "a", Secret("x"));
        QVERIFY(problem);
        QVERIFY(!problem->reason.isEmpty() && !problem->mend.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSecretLookup)
#include "tst_secretlookup.moc"

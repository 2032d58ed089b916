// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace muster {

/// A number of the footer: its name in caption over the number in bold and its unit. GUI thread.
class Figure final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Figure)

public:
    explicit Figure(const QString &name, QWidget *parent = nullptr);
    void setName(const QString &name);
    void set(const QString &number, const QString &unit);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
    QString m_number;
    QString m_unit;
    int m_widest = 0; ///< so far: numbers must not make their neighbours dance
};

} // namespace muster

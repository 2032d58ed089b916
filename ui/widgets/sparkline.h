// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/job/moment.h"
#include "ui/palette/roles.h"
#include "ui/widgets/series.h"

namespace muster {

/// One quantity over time: name, the number now, a line over a hairline scale. One scale, never two. Painted;
/// the data is the panel's, given by value with each new point. GUI thread.
class Sparkline final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Sparkline)

public:
    explicit Sparkline(Role line, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setZeroBased(bool on) { m_zeroBased = on; }
    /// Shows the span before `now`.
    void set(const Series &series, Utc now, Millis span, const QString &value);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Scale
    {
        double low = 0;
        double high = 1;
    };
    Scale scale() const;
    void paintLine(QPainter &painter, const QRectF &plot, const Scale &scale) const;

    QString m_title;
    QString m_value;
    QVector<Series::Point> m_points;
    Utc m_now{};
    Millis m_span{300'000};
    Role m_line;
    bool m_zeroBased = true;
};

} // namespace muster

import { written } from './drawing/base.ts';
import type { FigureChart } from './drawing/chart.ts';
import type { Row } from './drawing/frame.ts';

export const chart: FigureChart = {
  kind: 'figure',
  type: 'evolution-number',
  figure: (frame, { formats, words }) => {
    const measure = frame.measures[0];
    const time = frame.slot('evolution')[0];
    const at = (row: Row): number => (time === undefined ? 0 : (time.number(row[time.index]) ?? 0));
    const rows = time === undefined ? frame.rows : frame.rows.toSorted((a, b) => at(a) - at(b));
    const valueOf = (row: Row | undefined): number | null =>
      row === undefined || measure === undefined ? null : measure.number(row[measure.index]);
    const last = rows.at(-1);
    const before = time === undefined ? undefined : rows.at(-2);
    const [now, then] = [valueOf(last), valueOf(before)];
    const share = new Intl.NumberFormat(formats.locale, {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    });
    return {
      text: measure === undefined || last === undefined ? '–' : written(measure, last[measure.index]) || '–',
      label: time === undefined || last === undefined ? (measure?.label ?? words.rows) : time.text(last[time.index]),
      change:
        now === null || then === null || then === 0 || time === undefined || before === undefined
          ? null
          : {
              text: share.format((now - then) / Math.abs(then)),
              rising: now > then,
              flat: now === then,
              against: time.text(before[time.index]),
            },
      line: time === undefined ? [] : rows.map((row) => ({ text: time.text(row[time.index]), value: valueOf(row) })),
    };
  },
};

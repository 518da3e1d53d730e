import { CustomChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { measureColor, memberColor } from './colors/mark-color.ts';
import { belowZeroNote } from './drawing/below-zero.ts';
import { baseOption, markLater } from './drawing/base.ts';
import { shade } from './drawing/paint.ts';
import { fitted, widthOf } from './drawing/text-width.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import type { Mark } from './frame/mark.ts';
import type { DrawnChart, Look } from './frame/chart.ts';
import { isChosen } from './frame/chosen.ts';
import type { Frame } from './frame/frame.ts';

interface Stage {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  readonly color: string;
  readonly isDim: boolean;
  readonly mark: () => Mark;
}

/** Returns one stage per member, or per measure without a category. */
function stagesOf(frame: Frame, look: Look): readonly Stage[] {
  const category = frame.slot('category')[0];
  const [measure] = frame.measures;
  const { chosen = null } = look;
  if (category === undefined) {
    const row = frame.rows[0] ?? [];
    return frame.measures.map((field) => ({
      name: field.label,
      value: Math.max(0, field.number(row[field.index]) ?? 0),
      text: field.text(row[field.index]),
      color: measureColor(frame, look, field, 0),
      isDim: false,
      mark: () => ({ cells: [] }),
    }));
  }
  return frame.rows.map((row) => ({
    name: category.text(row[category.index]),
    value: Math.max(0, measure?.number(row[measure.index]) ?? 0),
    text: measure?.text(row[measure.index]) ?? '',
    color: frame.settings.isOneColor
      ? (frame.settings.colorOf(category.text(row[category.index])) ?? look.theme.mainColor)
      : memberColor(frame, look, category, row[category.index] ?? null),
    isDim: chosen !== null && !isChosen(frame, row, chosen),
    mark: markLater(frame.dimensions, row),
  }));
}

/** Stacked stages with widths proportional to their values, labelled with the share of the first stage. */
export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'funnel-chart',
  note: belowZeroNote,
  parts: [CustomChart, TooltipComponent],
  option: (frame, look) => {
    const { theme, widthPx, heightPx, rightToLeft } = look;
    const stages = stagesOf(frame, look);
    const px = theme.axisPx;
    const most = Math.max(...stages.map(({ value }) => value), Number.EPSILON);
    const namePx = Math.min(widthPx * 0.3, Math.max(0, ...stages.map(({ name }) => widthOf(name, px, look) + 12)));
    const sharePx = 52;
    const roomPx = Math.max(20, widthPx - namePx - sharePx);
    const rowPx = Math.min(64, heightPx / Math.max(1, stages.length));
    const top = Math.max(0, (heightPx - rowPx * stages.length) / 2);
    const share = look.formats.numbers({ notation: 'percent', format: '.0%' });
    const shareOf = (index: number): string =>
      share.full((stages[index]?.value ?? 0) / Math.max(stages[0]?.value ?? 0, Number.EPSILON));
    const wide = ({ value }: Stage): number => Math.max(2, (value / most) * roomPx);
    const middle = rightToLeft ? sharePx + roomPx / 2 : namePx + roomPx / 2;
    return {
      ...baseOption(look),
      tooltip: tooltipOf(look, ({ dataIndex }: { dataIndex: number }) => {
        const stage = stages[dataIndex];
        return stage === undefined
          ? null
          : {
              title: '',
              rows: [{ color: stage.color, label: stage.name, value: stage.text, note: shareOf(dataIndex) }],
            };
      }),
      series: [
        {
          type: 'custom',
          coordinateSystem: 'none',
          data: stages.map(({ name, value, mark }) => ({ name, value, mark })),
          renderItem: ({ dataIndex }: { dataIndex: number }) => {
            const stage = stages[dataIndex];
            if (stage === undefined) return null;
            const next = stages[dataIndex + 1];
            const y = top + dataIndex * rowPx;
            const barPx = rowPx * 0.62;
            const own = wide(stage);
            const inside = widthOf(stage.text, px, look) + 12 <= own;
            const text = (words: string, x: number, align: 'left' | 'right' | 'center', fill: string): object => ({
              type: 'text',
              x,
              y: y + barPx / 2,
              style: { text: words, fill, fontSize: px, fontFamily: theme.font.family, align, verticalAlign: 'middle' },
            });
            const opacity = stage.isDim ? 0.35 : 1;
            return {
              type: 'group',
              children: [
                {
                  type: 'rect',
                  shape: { x: middle - own / 2, y, width: own, height: barPx, r: theme.rounding },
                  style: { fill: stage.color, opacity },
                },
                ...(next === undefined
                  ? []
                  : [
                      {
                        type: 'polygon',
                        shape: {
                          points: [
                            [middle - own / 2, y + barPx],
                            [middle + own / 2, y + barPx],
                            [middle + wide(next) / 2, y + rowPx],
                            [middle - wide(next) / 2, y + rowPx],
                          ],
                        },
                        style: { fill: shade(stage.color, 0.18, look), opacity },
                        silent: true,
                      },
                    ]),
                text(
                  fitted(stage.name, px, namePx - 10, look),
                  rightToLeft ? widthPx : 0,
                  rightToLeft ? 'right' : 'left',
                  theme.mutedText,
                ),
                inside
                  ? text(stage.text, middle, 'center', theme.itemsBackground)
                  : text(stage.text, middle + own / 2 + 6, 'left', theme.text),
                text(shareOf(dataIndex), rightToLeft ? 0 : widthPx, rightToLeft ? 'left' : 'right', theme.text),
              ],
            };
          },
        },
      ],
    };
  },
};

import { CustomChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { memberAxis } from './cartesian/axes.ts';
import { readCartesian } from './cartesian/read.ts';
import { baseOption, markLater } from './drawing/base.ts';
import { inkOn } from './drawing/paint.ts';
import { widthOf } from './drawing/text-width.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import { valueScale } from './drawing/value-scale.ts';
import type { DrawnChart, SizedContext } from './frame/chart.ts';
import { isChosen } from './frame/chosen.ts';
import type { Frame, Row } from './frame/frame.ts';
import { membersOf } from './frame/members.ts';

interface Cell {
  readonly row: Row;
  readonly x: number;
  readonly y: number;
  readonly value: number;
  readonly text: string;
  readonly short: string;
  readonly fill: string;
}

function cellsOf(frame: Frame, context: SizedContext): readonly Cell[] {
  const [columnField, rowField] = [frame.slot('x-axis')[0], frame.slot('y-axis')[0]];
  const [measure] = frame.measures;
  if (columnField === undefined || rowField === undefined || measure === undefined) return [];
  const places = (field: typeof columnField): ReadonlyMap<string, number> =>
    new Map(membersOf(frame, field).map(({ key }, index) => [key, index]));
  const [xs, ys] = [places(columnField), places(rowField)];
  const numbers = frame.rows.flatMap((row) => measure.number(row[measure.index]) ?? []);
  const { fill } = valueScale(frame, context, numbers, { weakest: 0.08, isZero: true });
  return frame.rows.flatMap((row) => {
    const value = measure.number(row[measure.index]);
    const [x, y] = [xs.get(columnField.key(row[columnField.index])), ys.get(rowField.key(row[rowField.index]))];
    if (value === null || x === undefined || y === undefined) return [];
    return [
      { row, x, y, value, text: measure.text(row[measure.index]), short: measure.short(value), fill: fill(value) },
    ];
  });
}

/** A grid of two categories. The colour of a cell shows the measure. */
export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'heat-table',
  parts: [CustomChart, GridComponent, TooltipComponent],
  option: (frame, context) => {
    const { theme, chosen = null } = context;
    const cells = cellsOf(frame, context);
    // Either all cells show their numbers, or no cell does.
    const labelPx = Math.max(0, ...cells.map(({ short }) => widthOf(short, theme.axisPx, context))) + 6;
    const [measure] = frame.measures;
    const [columnField, rowField] = [frame.slot('x-axis')[0], frame.slot('y-axis')[0]];
    const axisOf = (axisSlot: 'x-axis' | 'y-axis') =>
      memberAxis(readCartesian({ type: 'heat-table', axisSlot, shapeOf: () => 'bar' }, frame, context));
    return {
      ...baseOption(context),
      grid: { left: 4, right: 8, top: 8, bottom: 4, outerBoundsMode: 'same' },
      tooltip: tooltipOf(context, ({ dataIndex }: { dataIndex: number }) => {
        const cell = cells[dataIndex];
        if (cell === undefined || measure === undefined) return null;
        const title = [rowField, columnField]
          .map((field) => (field === undefined ? '' : field.text(cell.row[field.index])))
          .join(' · ');
        return { title, rows: [{ color: cell.fill, label: measure.label, value: cell.text }] };
      }),
      xAxis: { ...axisOf('x-axis'), axisLine: { show: false } },
      yAxis: { ...axisOf('y-axis'), axisLine: { show: false } },
      series: [
        {
          type: 'custom',
          data: cells.map(({ x, y, value, row }) => ({ value: [x, y, value], mark: markLater(frame.dimensions, row) })),
          renderItem: (
            { dataIndex }: { dataIndex: number },
            api: {
              coord: (at: readonly number[]) => readonly number[];
              size: (range: readonly number[]) => readonly number[];
            },
          ) => {
            const cell = cells[dataIndex];
            if (cell === undefined) return null;
            const [x = 0, y = 0] = api.coord([cell.x, cell.y]);
            const [width = 0, height = 0] = api.size([1, 1]);
            const isFit = labelPx <= width && theme.axisPx + 4 <= height;
            const opacity = chosen !== null && !isChosen(frame, cell.row, chosen) ? 0.35 : 1;
            return {
              type: 'rect',
              shape: {
                x: x - width / 2 + 1,
                y: y - height / 2 + 1,
                width: Math.max(1, width - 2),
                height: Math.max(1, height - 2),
                r: theme.rounding,
              },
              style: { fill: cell.fill, opacity },
              ...(isFit
                ? {
                    textContent: {
                      style: {
                        text: cell.short,
                        fill: inkOn(cell.fill),
                        fontSize: theme.axisPx,
                        fontFamily: theme.font.family,
                      },
                    },
                    textConfig: { position: 'inside' },
                  }
                : {}),
            };
          },
        },
      ],
    };
  },
};

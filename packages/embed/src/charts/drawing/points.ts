import type { EChartsCoreOption } from 'echarts/core';
import { baseOption, legendOf, markLater, nameOf, tooltipOf, written } from './base.ts';
import type { Look } from './chart.ts';
import type { Field, Frame, Row } from './frame.ts';
import { membersOf } from './members.ts';

/** What a cloud of points is made of. */
export interface Cloud {
  readonly x: Field | undefined;
  readonly y: Field | undefined;
  readonly size: Field | undefined;
  readonly color: Field | undefined;
  readonly names: readonly Field[];
}

const smallestPx = 8;

/** Areas, not widths, grow with the value, so that twice as much looks twice as large. */
function sizes(frame: Frame, size: Field | undefined, largestPx: number): (row: Row) => number {
  if (size === undefined) return () => 9;
  const most = Math.max(...frame.rows.map((row) => Math.abs(size.number(row[size.index]) ?? 0)), 0);
  return (row) => {
    const value = Math.abs(size.number(row[size.index]) ?? 0);
    return most === 0 ? smallestPx : Math.max(smallestPx / 2, Math.sqrt(value / most) * largestPx);
  };
}

const isDated = ({ part, placed }: Field): boolean => part === null && placed.content?.type === 'datetime';
const isListed = (field: Field): boolean =>
  field.kind === 'dimension' && !isDated(field) && field.placed.content?.type !== 'numeric';

const axisOf = (field: Field | undefined, look: Look, frame: Frame): Record<string, unknown> => {
  const { theme, formats } = look;
  const dated = field !== undefined && isDated(field);
  const listed = field !== undefined && isListed(field);
  return {
    type: listed ? 'category' : dated ? 'time' : 'value',
    ...(listed ? { data: membersOf(frame, field).map(({ cell }) => field.text(cell)) } : {}),
    name: field?.label ?? '',
    nameLocation: 'middle',
    nameGap: 26,
    nameTextStyle: { color: theme.mutedText, fontSize: theme.axisPx },
    scale: true,
    splitLine: { lineStyle: { color: theme.line } },
    axisLine: { lineStyle: { color: theme.line } },
    axisLabel: {
      color: theme.mutedText,
      fontSize: theme.axisPx,
      hideOverlap: true,
      ...(listed
        ? {}
        : {
            formatter: (value: number) =>
              dated ? formats.date(new Date(value).toISOString(), field.placed.content?.level) : formats.compact(value),
          }),
    },
  };
};

/** Points by two axes, coloured by members, sized by a measure. */
export function cloudOption(cloud: Cloud, frame: Frame, look: Look): EChartsCoreOption {
  const { x, y, size, color, names } = cloud;
  const pixels = sizes(frame, size, Math.max(18, Math.min(look.widthPx, look.heightPx) / 6));
  const groups = color === undefined ? [{ key: '', cell: null }] : membersOf(frame, color);
  const place = (field: Field | undefined, row: Row): number | string | null => {
    if (field === undefined) return null;
    const cell = row[field.index];
    return (isListed(field) ? null : field.number(cell)) ?? field.text(cell);
  };
  const shown = [...new Set([...names, x, y, size, color])].filter((field) => field !== undefined);
  const rowsBy = groups.map(({ key }) =>
    frame.rows.filter((row) => color === undefined || color.key(row[color.index]) === key),
  );
  return {
    ...baseOption(look),
    legend: legendOf(look, color !== undefined && groups.length > 1),
    grid: {
      left: 12,
      right: 16,
      top: color === undefined ? 12 : look.theme.legend.linePx + 16,
      bottom: 24,
      outerBoundsMode: 'same',
    },
    tooltip: {
      ...tooltipOf(look),
      formatter: ({ seriesIndex, dataIndex }: { seriesIndex: number; dataIndex: number }) => {
        const row = rowsBy[seriesIndex]?.[dataIndex];
        return row === undefined
          ? ''
          : shown.map((field) => `${field.label}: ${written(field, field.text(row[field.index]))}`).join('\n');
      },
    },
    xAxis: { ...axisOf(x, look, frame), inverse: look.rightToLeft },
    yAxis: { ...axisOf(y, look, frame), nameGap: 44, ...(look.rightToLeft ? { position: 'right' } : {}) },
    series: groups.map(({ cell }, index) => ({
      type: 'scatter',
      name: color === undefined ? '' : nameOf(color.text(cell)),
      data: (rowsBy[index] ?? []).map((row) => ({
        value: [place(x, row), place(y, row)],
        symbolSize: pixels(row),
        mark: markLater(frame.dimensions, row),
      })),
      itemStyle: { opacity: 0.75 },
      large: false,
    })),
  };
}

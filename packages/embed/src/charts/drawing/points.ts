import { isList, type Json } from '@inlay/contract';
import type { EChartsCoreOption } from 'echarts/core';
import { baseOption, legendOf, markLater, nameOf, written } from './base.ts';
import { tooltipOf } from './tooltip.ts';
import type { Legend, SizedContext } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';
import { decalAt } from './paint.ts';
import { membersOf } from '../frame/members.ts';
import { memberColor } from '../colors/mark-color.ts';

/** The fields of a scatter plot. */
export interface Cloud {
  readonly x: Field | undefined;
  readonly y: Field | undefined;
  readonly size: Field | undefined;
  readonly color: Field | undefined;
  readonly names: readonly Field[];
}

const smallestPx = 8;

/**
 * Returns the size of a point by its row. The area is proportional to the value, so that twice the value looks twice as
 * large.
 */
function sizes(frame: Frame, size: Field | undefined, largestPx: number): (row: Row) => number {
  if (size === undefined) return () => 9;
  const max = Math.max(...frame.rows.map((row) => Math.abs(size.number(row[size.index]) ?? 0)), 0);
  return (row) => {
    const value = Math.abs(size.number(row[size.index]) ?? 0);
    return max === 0 ? smallestPx : Math.max(smallestPx / 2, Math.sqrt(value / max) * largestPx);
  };
}

/** Returns the middle of a bin; null if a cell is none. */
function middleOf(cell: Json | undefined): number | null {
  const [from, to] = cell !== undefined && isList(cell) ? cell : [];
  return typeof from === 'number' && typeof to === 'number' ? (from + to) / 2 : null;
}

const isDated = ({ part, placed }: Field): boolean => part === null && placed.content?.type === 'datetime';
const isListed = (field: Field): boolean =>
  field.kind === 'dimension' && !isDated(field) && field.placed.content?.type !== 'numeric';

const axisOf = (field: Field | undefined, context: SizedContext, frame: Frame): Record<string, unknown> => {
  const { theme } = context;
  const isTime = field !== undefined && isDated(field);
  const isCategory = field !== undefined && isListed(field);
  return {
    type: isCategory ? 'category' : isTime ? 'time' : 'value',
    ...(isCategory ? { data: membersOf(frame, field).map(({ cell }) => field.text(cell)) } : {}),
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
      ...(isCategory
        ? {}
        : {
            formatter: (value: number) =>
              isTime
                ? field.formats.date(new Date(value).toISOString(), field.placed.content?.level)
                : (field?.short(value) ?? String(value)),
          }),
    },
  };
};

export const cloudLegend = ({ color }: Pick<Cloud, 'color'>, frame: Frame, context: SizedContext): Legend | null =>
  color === undefined
    ? null
    : legendOf(
        frame,
        context,
        membersOf(frame, color).map(({ cell }) => ({
          name: nameOf(color.text(cell)),
          text: color.text(cell),
          note: '',
          color: memberColor(frame, context, color, cell),
        })),
      );

/** Returns a scatter plot with optional colours by member and sizes by measure. */
export function cloudOption(cloud: Cloud, frame: Frame, context: SizedContext): EChartsCoreOption {
  const { x, y, size, color, names } = cloud;
  const pixels = sizes(frame, size, Math.max(18, Math.min(context.widthPx, context.heightPx) / 6));
  const groups =
    color === undefined
      ? [{ key: '', cell: null }]
      : membersOf(frame, color).filter(({ cell }) => context.hidden?.has(nameOf(color.text(cell))) !== true);
  const places = color === undefined ? [] : membersOf(frame, color).map(({ key }) => key);
  const place = (field: Field | undefined, row: Row): number | string | null => {
    if (field === undefined) return null;
    const cell = row[field.index];
    return middleOf(cell) ?? (isListed(field) ? null : field.number(cell)) ?? field.text(cell);
  };
  const fields = [...new Set([...names, x, y, size, color])].filter((field) => field !== undefined);
  const rowsBy = groups.map(({ key }) =>
    frame.rows.filter((row) => color === undefined || color.key(row[color.index]) === key),
  );
  return {
    ...baseOption(context),
    grid: {
      left: 12,
      right: 16,
      top: 12,
      bottom: 4,
      outerBoundsMode: 'same',
    },
    tooltip: tooltipOf(context, ({ seriesIndex, dataIndex }: { seriesIndex: number; dataIndex: number }) => {
      const row = rowsBy[seriesIndex]?.[dataIndex];
      const group = groups[seriesIndex];
      if (row === undefined) return null;
      const fill =
        color === undefined || group === undefined
          ? context.theme.mainColor
          : memberColor(frame, context, color, group.cell);
      const rows = fields.map((field, index) => ({
        color: index === 0 ? fill : null,
        label: field.label,
        value: written(field, field.text(row[field.index])),
      }));
      return { title: '', rows };
    }),
    xAxis: { ...axisOf(x, context, frame), inverse: context.rightToLeft },
    yAxis: { ...axisOf(y, context, frame), nameGap: 44, ...(context.rightToLeft ? { position: 'right' } : {}) },
    series: groups.map(({ cell }, index) => ({
      type: 'scatter',
      name: color === undefined ? '' : nameOf(color.text(cell)),
      data: (rowsBy[index] ?? []).map((row) => ({
        value: [place(x, row), place(y, row)],
        symbolSize: pixels(row),
        mark: markLater(frame.dimensions, row),
      })),
      itemStyle: {
        opacity: 0.75,
        ...(color === undefined ? {} : { color: memberColor(frame, context, color, cell) }),
        ...(color === undefined ? {} : decalAt(context, places.indexOf(color.key(cell)))),
      },
      large: false,
    })),
  };
}

import type { ItemType, Json } from '@inlay/contract';
import type { EChartsCoreOption } from 'echarts/core';
import { kept } from '../../locale/format.ts';
import { baseOption, legendOf, markLater, nameOf, written as writtenBy } from './base.ts';
import type { Look, Mark } from './chart.ts';
import { membersOf, type Field, type Frame, type Row } from './frame.ts';

/** What differs between area, line, bar and column. */
export interface Cartesian {
  readonly type: ItemType;
  readonly draws: 'line' | 'bar';
  readonly axisSlot: 'x-axis' | 'y-axis';
  readonly filled?: true;
}

interface Series {
  readonly name: string;
  readonly measure: Field | undefined;
  readonly values: ReadonlyMap<string, Row>;
}

/** One series for each member of the legend, or for each measure. */
function seriesOf(frame: Frame, axis: Field | undefined): readonly Series[] {
  const legend = frame.slot('legend')[0];
  const keyOf = (row: Row): string => (axis === undefined ? '' : axis.key(row[axis.index]));
  if (legend === undefined) {
    const values = new Map(frame.rows.map((row) => [keyOf(row), row]));
    return frame.measures.map((measure) => ({ name: nameOf(measure.label), measure, values }));
  }
  const groups = new Map<string, { readonly cell: Json; readonly values: Map<string, Row> }>();
  for (const row of frame.rows) {
    const cell = row[legend.index] ?? null;
    const key = legend.key(cell);
    const group = groups.get(key) ?? { cell, values: new Map() };
    groups.set(key, group);
    group.values.set(keyOf(row), row);
  }
  const measure = frame.measures[0];
  return [...groups.values()].map(({ cell, values }) => ({ name: nameOf(legend.text(cell)), measure, values }));
}

interface Datum {
  readonly value: number | null | readonly (number | string | null)[];
  readonly mark: () => Mark;
}

const emptyMark = (): Mark => ({ cells: [] });

/** Steps that come out even over a year, for months as for quarters. */
const evenSteps = [1, 2, 3, 4, 6, 12, 24, 60, 120, 240];
const month = 3;

/**
 * Which of some dates, in their order, have a label: as many as there is room for, evenly. ECharts chooses well among
 * days, hours and finer, and leaves gaps among months and longer.
 */
function labelledDates(dates: readonly number[], write: (date: number) => string, look: Look): readonly number[] {
  const longest = Math.max(...dates.slice(0, 24).map((date) => write(date).length), 1);
  const room = Math.max(1, Math.floor((look.widthPx - 60) / (longest * look.theme.axisPx * 0.6 + 16)));
  const step = evenSteps.find((one) => dates.length / one <= room) ?? dates.length;
  return dates.filter((_date, index) => index % step === 0);
}

/** The option of a chart with one axis of members and one of values. */
export function cartesianOption({ draws, axisSlot, filled }: Cartesian, frame: Frame, look: Look): EChartsCoreOption {
  const { theme, formats, rightToLeft } = look;
  const axis = frame.slot(axisSlot)[0];
  const series = seriesOf(frame, axis);
  const flipped = axisSlot === 'y-axis';
  const timed = draws === 'line' && axis?.placed.content?.type === 'datetime';
  const members: readonly { key: string; cell: Json }[] =
    axis === undefined ? [{ key: '', cell: '' }] : membersOf(frame, axis);
  const listed = timed ? members.toSorted((a, b) => (axis.number(a.cell) ?? 0) - (axis.number(b.cell) ?? 0)) : members;
  const text = (cell: Json): string => (axis === undefined ? '' : axis.text(cell));
  const datum = ({ measure, values }: Series, member: { key: string; cell: Json }): Datum => {
    const row = values.get(member.key);
    const number = row === undefined || measure === undefined ? null : measure.number(row[measure.index]);
    return {
      value: timed ? [axis.number(member.cell), number] : number,
      mark: row === undefined ? emptyMark : markLater(frame.dimensions, row),
    };
  };
  const style = { color: theme.mutedText, fontSize: theme.axisPx };
  const { level = null, format } = axis?.placed.content ?? {};
  // Asked for each tick while ECharts tries how many there is room for, then once more.
  const written = kept((value: number) => formats.date(new Date(value).toISOString(), level, format));
  const dates =
    timed && level !== null && level <= month
      ? labelledDates(
          listed.flatMap(({ cell }) => axis.number(cell) ?? []),
          written,
          look,
        )
      : null;
  const memberAxis = {
    type: timed ? 'time' : 'category',
    ...(timed ? {} : { data: listed.map(({ cell }) => text(cell)) }),
    inverse: flipped ? true : rightToLeft,
    ...(flipped && rightToLeft ? { position: 'right' } : {}),
    boundaryGap: draws === 'bar',
    axisTick: { show: false },
    axisLine: { lineStyle: { color: theme.line } },
    axisLabel: {
      ...style,
      hideOverlap: true,
      width: flipped ? Math.round(look.widthPx * 0.3) : 120,
      overflow: 'truncate',
      ...(timed
        ? {
            formatter: written,
            ...(dates === null ? {} : { customValues: dates }),
          }
        : {}),
    },
  };
  const valueAxis = {
    type: 'value',
    ...(flipped && rightToLeft ? { inverse: true } : {}),
    ...(!flipped && rightToLeft ? { position: 'right' } : {}),
    splitLine: { lineStyle: { color: theme.line } },
    axisLabel: { ...style, hideOverlap: true, formatter: kept((value: number) => formats.compact(value)) },
  };
  const many = series.length > 1;
  const stacked = frame.item.options['stacked'] === true || (filled === true && frame.slot('legend').length > 0);
  return {
    ...baseOption(look),
    legend: legendOf(look, many),
    grid: { left: 4, right: 12, top: many ? theme.legend.linePx + 16 : 12, bottom: 4, outerBoundsMode: 'same' },
    tooltip: {
      ...tooltipBase(look),
      trigger: 'axis',
      axisPointer: { type: draws === 'bar' ? 'shadow' : 'line' },
      formatter: (drawn: unknown) =>
        axisTooltip(drawn, series, timed ? (value) => text(new Date(value).toISOString()) : null),
    },
    [flipped ? 'yAxis' : 'xAxis']: memberAxis,
    [flipped ? 'xAxis' : 'yAxis']: valueAxis,
    series: series.map((one) => ({
      name: one.name,
      type: draws,
      data: listed.map((member) => datum(one, member)),
      ...(stacked ? { stack: 'all' } : {}),
      ...(draws === 'line'
        ? {
            showSymbol: listed.length < 60 && listed.length * series.length < 200,
            symbolSize: listed.length > 24 ? 4 : 6,
            lineStyle: { width: stacked && series.length > 6 ? 1 : 2 },
            ...(filled === true ? { areaStyle: { opacity: stacked ? 0.7 : 0.25 } } : {}),
          }
        : {
            barMaxWidth: 56,
            itemStyle: {
              borderRadius: flipped ? [0, theme.rounding, theme.rounding, 0] : [theme.rounding, theme.rounding, 0, 0],
            },
            ...(many || frame.item.options['oneColor'] !== false ? {} : { colorBy: 'data' }),
          }),
      emphasis: { focus: many ? 'series' : 'none' },
    })),
  };
}

const tooltipBase = (look: Look): Record<string, unknown> => {
  const { tooltip } = baseOption(look);
  return typeof tooltip === 'object' && tooltip !== null ? { ...tooltip } : {};
};

const isDrawn = (value: unknown): value is { seriesIndex: number; name: string; value: unknown } =>
  typeof value === 'object' && value !== null && 'seriesIndex' in value && 'name' in value && 'value' in value;

function axisTooltip(drawn: unknown, series: readonly Series[], timeText: ((value: number) => string) | null): string {
  const points = (Array.isArray(drawn) ? drawn : [drawn]).filter(isDrawn);
  const [first] = points;
  if (first === undefined) return '';
  const at = Array.isArray(first.value) && typeof first.value[0] === 'number' ? first.value[0] : null;
  const title = timeText !== null && at !== null ? timeText(at) : first.name;
  const lines = points.flatMap(({ seriesIndex, value }) => {
    const one = series[seriesIndex];
    const number: unknown = Array.isArray(value) ? value[1] : value;
    return one === undefined || number === null ? [] : [`${one.name}: ${writtenBy(one.measure, number)}`];
  });
  return [title, ...lines].join('\n');
}

import type { ItemType, Json } from '@inlay/contract';
import type { EChartsCoreOption } from 'echarts/core';
import { isNamed, kept, type NameLength } from '../../locale/format.ts';
import { baseOption, legendOf, markLater, nameOf, written as writtenBy } from './base.ts';
import type { Look, Mark } from './chart.ts';
import type { Field, Frame, Row } from './frame.ts';
import { membersOf, membersWithGaps } from './members.ts';

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
  const groups = new Map(
    membersOf(frame, legend).map(({ key, cell }) => [key, { cell, values: new Map<string, Row>() }]),
  );
  for (const row of frame.rows) groups.get(legend.key(row[legend.index]))?.values.set(keyOf(row), row);
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

/** A chart of an axis of members and one of values, read once for all of its parts. */
interface CartesianFrame extends Cartesian {
  readonly frame: Frame;
  readonly look: Look;
  readonly axis: ReturnType<Frame['slot']>[number] | undefined;
  readonly series: readonly Series[];
  readonly listed: readonly { readonly key: string; readonly cell: Json }[];
  /** Members lie on a vertical axis. */
  readonly flipped: boolean;
  /** Members are moments on a scale of time. */
  readonly timed: boolean;
  readonly stacked: boolean;
}

function readCartesian(chart: Cartesian, frame: Frame, look: Look): CartesianFrame {
  const axis = frame.slot(chart.axisSlot)[0];
  const timed = chart.draws === 'line' && axis?.placed.content?.type === 'datetime' && axis.part === null;
  const listMembers = chart.draws === 'line' ? membersWithGaps : membersOf;
  const members = axis === undefined ? [{ key: '', cell: '' }] : listMembers(frame, axis);
  return {
    ...{ ...chart, frame, look, axis, timed },
    series: seriesOf(frame, axis),
    listed: timed ? members.toSorted((a, b) => (axis.number(a.cell) ?? 0) - (axis.number(b.cell) ?? 0)) : members,
    flipped: chart.axisSlot === 'y-axis',
    stacked: frame.item.options['stacked'] === true || (chart.filled === true && frame.slot('legend').length > 0),
  };
}

const labelStyle = ({ theme }: Look): Record<string, unknown> => ({ color: theme.mutedText, fontSize: theme.axisPx });

/** Labels of a scale of time. */
function timeLabels({ axis, listed, look }: CartesianFrame): Record<string, unknown> {
  const { level = null, format } = axis?.placed.content ?? {};
  // Asked for each tick while ECharts tries how many there is room for, then once more.
  const written = kept((value: number) => look.formats.date(new Date(value).toISOString(), level, format));
  if (level === null || level > month) return { formatter: written };
  const dates = listed.flatMap(({ cell }) => axis?.number(cell) ?? []);
  return { formatter: written, customValues: labelledDates(dates, written, look) };
}

const nameLengths = ['long', 'short', 'narrow'] as const satisfies readonly NameLength[];

/** Labels of parts of times: names as long as there is room for, all of them; of numbers each, or evenly as many as fit. */
function partLabels({ axis, listed, look, flipped }: CartesianFrame): Record<string, unknown> {
  const part = axis?.part ?? null;
  if (axis === undefined || part === null) return {};
  const { formats, theme, widthPx, heightPx } = look;
  const texts = (length: NameLength): readonly string[] =>
    listed.map(({ cell }) => (typeof cell === 'number' ? formats.part(cell, part, length) : axis.text(cell)));
  const longestPx = (length: NameLength): number =>
    Math.max(...texts(length).map((text) => text.length * theme.axisPx * 0.6 + 6));
  const roomPx = (flipped ? heightPx - 40 : widthPx - 60) / Math.max(1, listed.length);
  const length = flipped ? 'long' : (nameLengths.find((one) => longestPx(one) <= roomPx) ?? 'narrow');
  const isAll = !flipped && isNamed(part);
  const step = isAll ? 1 : Math.max(1, Math.ceil((flipped ? theme.axisPx : longestPx(length)) / roomPx));
  const shown = texts(length);
  const formatter = (text: string, index: number): string => shown[index] ?? text;
  return { interval: step - 1, hideOverlap: false, formatter };
}

function memberAxis(chart: CartesianFrame): Record<string, unknown> {
  const { draws, axis, listed, flipped, timed, look } = chart;
  const { theme, rightToLeft } = look;
  return {
    type: timed ? 'time' : 'category',
    ...(timed ? {} : { data: listed.map(({ cell }) => (axis === undefined ? '' : axis.text(cell))) }),
    inverse: flipped ? true : rightToLeft,
    ...(flipped && rightToLeft ? { position: 'right' } : {}),
    boundaryGap: draws === 'bar',
    axisTick: { show: false },
    axisLine: { lineStyle: { color: theme.line } },
    axisLabel: {
      ...labelStyle(look),
      hideOverlap: true,
      width: flipped ? Math.round(look.widthPx * 0.3) : 120,
      overflow: 'truncate',
      ...(timed ? timeLabels(chart) : partLabels(chart)),
    },
  };
}

function valueAxis({ flipped, look }: CartesianFrame): Record<string, unknown> {
  const { theme, formats, rightToLeft } = look;
  return {
    type: 'value',
    ...(flipped && rightToLeft ? { inverse: true } : {}),
    ...(!flipped && rightToLeft ? { position: 'right' } : {}),
    splitLine: { lineStyle: { color: theme.line } },
    axisLabel: { ...labelStyle(look), hideOverlap: true, formatter: kept((value: number) => formats.compact(value)) },
  };
}

function datumOf(chart: CartesianFrame, { measure, values }: Series, member: { key: string; cell: Json }): Datum {
  const { axis, timed, frame } = chart;
  const row = values.get(member.key);
  const number = row === undefined || measure === undefined ? null : measure.number(row[measure.index]);
  return {
    value: timed ? [axis?.number(member.cell) ?? null, number] : number,
    mark: row === undefined ? emptyMark : markLater(frame.dimensions, row),
  };
}

/** How the marks of a series look. */
function markStyle({ draws, filled, frame, look, series, listed, flipped, stacked }: CartesianFrame) {
  if (draws === 'line')
    return {
      showSymbol: listed.length < 60 && listed.length * series.length < 200,
      symbolSize: listed.length > 24 ? 4 : 6,
      lineStyle: { width: stacked && series.length > 6 ? 1 : 2 },
      ...(filled === true ? { areaStyle: { opacity: stacked ? 0.7 : 0.25 } } : {}),
    };
  const { rounding } = look.theme;
  return {
    barMaxWidth: 56,
    itemStyle: { borderRadius: flipped ? [0, rounding, rounding, 0] : [rounding, rounding, 0, 0] },
    ...(series.length > 1 || frame.item.options['oneColor'] !== false ? {} : { colorBy: 'data' }),
  };
}

/** The option of a chart with one axis of members and one of values. */
export function cartesianOption(given: Cartesian, frame: Frame, look: Look): EChartsCoreOption {
  const chart = readCartesian(given, frame, look);
  const { draws, axis, series, listed, flipped, timed, stacked } = chart;
  const many = series.length > 1;
  const date = (value: number): string => (axis === undefined ? '' : axis.text(new Date(value).toISOString()));
  return {
    ...baseOption(look),
    legend: legendOf(look, many),
    grid: { left: 4, right: 12, top: many ? look.theme.legend.linePx + 16 : 12, bottom: 4, outerBoundsMode: 'same' },
    tooltip: {
      ...tooltipBase(look),
      trigger: 'axis',
      axisPointer: { type: draws === 'bar' ? 'shadow' : 'line' },
      formatter: (drawn: unknown) => axisTooltip(drawn, series, timed ? date : null),
    },
    [flipped ? 'yAxis' : 'xAxis']: memberAxis(chart),
    [flipped ? 'xAxis' : 'yAxis']: valueAxis(chart),
    series: series.map((one) => ({
      name: one.name,
      type: draws,
      data: listed.map((member) => datumOf(chart, one, member)),
      ...(stacked ? { stack: 'all' } : {}),
      ...markStyle(chart),
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

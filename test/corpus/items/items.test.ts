import { itemQuery, memberRows, readItem, type Item, comparedQueries, readFilterSets } from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import {
  createFormats,
  createFrame,
  createMemberColors,
  loadChart,
  withComparison,
  wordsFor,
  type Frame,
  type SizedContext,
  type TooltipText,
} from '@inlay/embed/picture';
import { resolveTheme } from '@inlay/contract/theme';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flatTable } from '../../../packages/embed/src/charts/table/flat.ts';
import type { FilledItem } from '../../../packages/service/src/export/render-job.ts';
import { draw } from '../../../packages/service/src/export/drawing/drawing.ts';
import { csvOf, fileColumns, withNames } from '../../../packages/service/src/export/tables/rows.ts';
import { jobOf } from '../../../packages/service/src/gallery/job.ts';
import { counted } from '../../support/counts.ts';
import { runSeed } from '../../support/seed.ts';
import { Chance, conditionOf, contentOf, factsOf, nowMs, visitsOf, type ItemFacts } from './draw.ts';
import { openVisits, type Visit, type VisitsEngine } from './engine.ts';
import { addsUp, evaluate, evaluateNumber, type Expected } from './evaluate.ts';
import { changeText, numberText, sameDays, soFar, textsOf } from './write.ts';

/** Items over the same rows. */
const perDataset = 20;
/** Of this many items one is drawn as SVG. */
const drawnEach = 10;

/** What an item shows: its rows as the service answers them, read as pages read them. */
interface Shown {
  readonly item: Item;
  readonly filled: FilledItem;
  readonly frame: Frame;
  readonly look: SizedContext;
}

const theme = resolveTheme(['default'], builtInThemes);

async function shownOf(facts: ItemFacts, engine: VisitsEngine): Promise<Shown> {
  const item = readItem(contentOf(facts));
  if (item === null) throw new Error('no item');
  const { zone, locale, filter } = facts;
  const where = filter === null ? [] : [conditionOf(filter)];
  const sets = readFilterSets(filter === null ? [] : [conditionOf(filter)]);
  const { query, compared: then } =
    facts.type === 'evolution-number'
      ? comparedQueries({ item, own: [] }, sets, { timezoneId: zone, dashboardId: null }, nowMs)
      : { query: itemQuery(item, { timezoneId: zone, where }), compared: null };
  if (query === null) throw new Error('nothing is asked');
  const rows = memberRows(query, await engine.rowsOf(query.query, zone));
  const comparison = then === null ? null : { query: then, rows: await engine.rowsOf(then.query, zone) };
  const look: SizedContext = {
    theme,
    formats: createFormats(locale, zone),
    words: wordsFor(locale),
    colors: createMemberColors(8),
    nowMs,
    widthPx: 600,
    heightPx: 300,
    patterns: false,
    reducedMotion: true,
    rightToLeft: locale === 'ar',
  };
  const frame = createFrame(item, query, rows, look);
  return {
    item,
    look,
    frame: comparison === null ? frame : withComparison(frame, comparison),
    filled: { item, query, comparison, rows, selection: null, truncated: false, failure: null },
  };
}

/** Returns the fields of CSV with their quotes, dimensions first. */
function csvRows({ item, filled }: Shown, { zone, locale }: ItemFacts): readonly (readonly string[])[] {
  const { query } = filled;
  if (query === null) return [];
  const places = [...query.dimensions, ...query.measures].map((_, place) => String(place));
  const columns = fileColumns(item, query, places).toSorted((one, other) => one.place - other.place);
  const text = new TextDecoder().decode(csvOf({ columns, timeZone: zone }, withNames(filled, locale), filled));
  const lines = text.trimEnd().split('\r\n').slice(1);
  return lines.map(
    (line) =>
      line
        .match(/("(?:[^"]|"")*"|[^,"]*)(?:,|$)/gu)
        ?.slice(0, places.length)
        .map((field) => field.replace(/,$/u, '')) ?? [],
  );
}

/** Returns the texts of the table behind an item. */
function pageRows({ frame, look }: Shown): readonly (readonly string[])[] {
  const table = flatTable(frame, look);
  return Array.from({ length: table.size }, (_, index) => table.row(index).cells.map(({ text }) => text));
}

/** Returns the cells of a pivot table as rows of a member, a member across and a value. */
async function pivotRows({ frame, look }: Shown): Promise<readonly (readonly string[])[]> {
  const chart = await loadChart('pivot-table');
  if (chart?.kind !== 'table') throw new Error('no table');
  const table = chart.table(frame, look);
  const each = frame.measures.length;
  const across = (table.head[0] ?? []).filter(({ numeric }) => numeric).map(({ text }) => text);
  return Array.from({ length: table.size }, (_, index) => table.row(index).cells.map(({ text }) => text)).flatMap(
    ([member = '', ...cells]) =>
      across.flatMap((name, place) => {
        const own = cells.slice(place * each, (place + 1) * each);
        return own.some((cell) => cell !== '') ? [[member, name, ...own]] : [];
      }),
  );
}

const inOrder = (rows: readonly (readonly string[])[]): readonly string[] =>
  rows.map((row) => row.join('\u0001')).toSorted();

/** True if rows differ from those that are expected; those of split items come in any order. */
function differ(
  expected: readonly (readonly string[])[],
  shown: readonly (readonly string[])[],
  isOrdered: boolean,
): boolean {
  return isOrdered
    ? JSON.stringify(expected) !== JSON.stringify(shown)
    : JSON.stringify(inOrder(expected)) !== JSON.stringify(inOrder(shown));
}

/** What is wrong with the rows of an item; empty if nothing is. */
async function rowFaults(facts: ItemFacts, expected: Expected, shown: Shown): Promise<readonly string[]> {
  const wanted = expected.rows.map((row) => textsOf(facts, row));
  const [csv, page] = [wanted.map((row) => row.csv), wanted.map((row) => row.page)];
  const found: readonly (readonly [string, readonly (readonly string[])[], readonly (readonly string[])[]])[] = [
    ['CSV', csv, csvRows(shown, facts)],
    ['page', page, pageRows(shown)],
    ...(facts.type === 'pivot-table' && facts.split !== null
      ? [['pivot', page.filter((row) => row.slice(2).some((cell) => cell !== '')), await pivotRows(shown)] as const]
      : []),
  ];
  const rows = found.flatMap(([where, own, seen]) =>
    differ(own, seen, expected.isOrdered)
      ? [`${where}: ${JSON.stringify(seen)} in place of ${JSON.stringify(own)}`]
      : [],
  );
  return [...rows, ...(await saidFaults(facts, expected, shown))];
}

const axisTypes = ['bar-chart', 'column-chart', 'line-chart'];

/** What a chart says of the marks along its axis, or of its slices: each with its name and its value. */
async function saidOf(
  { type, locale }: ItemFacts,
  { frame, look }: Shown,
): Promise<readonly (readonly string[])[] | null> {
  const chart = await loadChart(type);
  if (chart?.kind !== 'drawn') return null;
  if (type === 'donut-chart') return (chart.legend?.(frame, look)?.entries ?? []).map(({ text, note }) => [text, note]);
  if (!axisTypes.includes(type)) return null;
  const said: string[][] = [];
  const tooltipView = ({ title, rows }: TooltipText): void => {
    const name = title.replace(` (${soFar[locale]})`, '');
    for (const { label, value, isTotal } of rows) if (isTotal !== true) said.push([name, label, value]);
  };
  const { tooltip } = chart.option(frame, { ...look, tooltipView });
  const formatter: unknown = typeof tooltip === 'object' && tooltip !== null ? Reflect.get(tooltip, 'formatter') : null;
  const members = new Set(frame.rows.map((row) => frame.dimensions[0]?.key(row[0])));
  if (typeof formatter === 'function')
    for (const dataIndex of Array.from(members).keys()) Reflect.apply(formatter, null, [[{ dataIndex }]]);
  return said;
}

/** What is wrong with names and values under the pointer and in the legend. */
async function saidFaults(facts: ItemFacts, expected: Expected, shown: Shown): Promise<readonly string[]> {
  const said = await saidOf(facts, shown);
  if (said === null) return [];
  const { type, split, locale, measures } = facts;
  const [measure] = measures;
  const texts = expected.rows.map((row) => ({ value: row.values[0] ?? null, page: textsOf(facts, row).page }));
  const label = shown.frame.measures[0]?.label ?? '';
  const positive = texts.flatMap(({ value }) => (value !== null && value > 0 ? value : []));
  const isWhole = texts.every(({ value }) => value === null || value >= 0) && addsUp(measure);
  const total = positive.reduce((sum, value) => sum + value, 0);
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const slices = texts.flatMap(({ value, page }) =>
    value === null || value <= 0 ? [] : [[page[0] ?? '', isWhole ? share.format(value / total) : (page.at(-1) ?? '')]],
  );
  const wanted =
    type === 'donut-chart'
      ? slices.length > 1
        ? slices
        : []
      : texts.flatMap(({ value, page: [name = '', ...rest] }) =>
          value === null ? [] : [split === null ? [name, label, ...rest] : [name, ...rest]],
        );
  // More slices than there are colours for are shown as one.
  if (type === 'donut-chart' && slices.length > 12) return [];
  return differ(wanted, said, false) ? [`said: ${JSON.stringify(said)} in place of ${JSON.stringify(wanted)}`] : [];
}

/** What is wrong with a number over time. */
async function numberFaults(
  facts: ItemFacts,
  visits: readonly Visit[],
  { frame, look }: Shown,
): Promise<readonly string[]> {
  const chart = await loadChart(facts.type);
  if (chart?.kind !== 'figure') throw new Error('no number');
  const expected = evaluateNumber(facts, visits);
  const figure = chart.figure(frame, look);
  const { locale } = facts;
  const isNone = expected === null || expected.value === null;
  const change =
    isNone || expected.earlier === null || expected.earlier === 0
      ? null
      : changeText(expected.value, expected.earlier, locale);
  const wanted = [isNone ? '–' : numberText(expected.value, locale), change];
  const seen = [figure.text, figure.change?.text ?? null];
  const isSoFar = expected?.isSoFar === true;
  const isCut = expected?.isCut === true;
  const isSaid =
    figure.label.includes(soFar[locale]) === isSoFar &&
    (figure.change?.against.includes(sameDays[locale]) ?? isCut) === isCut;
  return JSON.stringify(wanted) === JSON.stringify(seen) && isSaid
    ? []
    : [
        `${JSON.stringify([seen, figure.label, figure.change?.against])} in place of ${JSON.stringify([wanted, isSoFar, isCut])}`,
      ];
}

/** Returns the texts that a drawn table or number has to have. */
async function drawnFaults(facts: ItemFacts, { item, filled, frame, look }: Shown): Promise<readonly string[]> {
  const { zone, locale } = facts;
  const chart = await loadChart(facts.type);
  const { job } = jobOf(
    { name: 'Item', item: contentOf(facts), rows: [] },
    { theme: 'default', locale, widthPx: 2400, heightPx: 4000 },
    'svg',
  );
  const svg = new TextDecoder().decode(
    await draw({ ...job, timeZone: zone, nowMs, items: [{ ...filled, comparison: null }] }, [
      { ...filled, item: { ...item, position: { col: 0, row: 0, sizeX: 1, sizeY: 1 } } },
    ]),
  );
  const texts = new Set(
    [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/gu)].map(([, text = '']) =>
      text
        .replaceAll(/<[^>]*>|[\u202b\u202c]/gu, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&'),
    ),
  );
  const figure = chart?.kind === 'figure' && frame.rows.length > 0 ? [chart.figure(frame, look).text] : [];
  const cells = chart?.kind === 'table' ? pageRows({ item, filled, frame, look }).flat() : [];
  const missing = [...figure, ...cells].filter((text) => text !== '' && !texts.has(text));
  return missing.length === 0 ? [] : [`SVG lacks ${JSON.stringify(missing)}`];
}

describe('what an item shows', () => {
  let engine: VisitsEngine;
  beforeAll(async () => {
    engine = await openVisits();
  });
  afterAll(() => engine.close());

  test('is what a plain evaluator computes of the rows, in pages, CSV and SVG', { timeout: 1_800_000 }, async () => {
    const count = counted(200, 10_000);
    const faults: string[] = [];
    let visits: readonly Visit[] = [];
    for (let index = 0; index < count; index += 1) {
      if (index % perDataset === 0) {
        visits = visitsOf(new Chance(runSeed + index));
        await engine.fill(visits);
      }
      const facts = factsOf(new Chance(runSeed * 31 + index));
      const shown = await shownOf(facts, engine);
      const own =
        facts.type === 'evolution-number'
          ? await numberFaults(facts, visits, shown)
          : await rowFaults(facts, evaluate(facts, visits), shown);
      const drawn = index % drawnEach === 0 ? await drawnFaults(facts, shown) : [];
      for (const fault of [...own, ...drawn]) faults.push(`${index} ${JSON.stringify(facts)}: ${fault}`);
    }
    expect(
      faults.slice(0, 5),
      `${faults.length} of ${count} items are wrong; INLAY_TEST_SEED=${runSeed} repeats them`,
    ).toEqual([]);
  });
});

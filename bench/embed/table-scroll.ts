// npm run bench:tables: what a frame costs while a table of 100,000 rows scrolls in Chromium. Rows are given to the card, as a query answers at most 10,000.
import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import type { Browser, Page } from 'playwright-core';
import { endBrowser, startBrowser } from '../../test/browser/page.ts';
import { category, euros, number, time } from '../../packages/service/src/gallery/samples.ts';
import { say } from '../measure.ts';
import { builtPage } from './built-page.ts';

const rowCount = Number(process.env['BENCH_ROWS'] ?? 100_000);
const frames = 200;
const maxMs = 8;

interface Measured {
  readonly name: string;
  readonly item: JsonObject;
  readonly rowsOf: string;
}

const item = (type: string, slots: Readonly<Record<string, readonly JsonObject[]>>): JsonObject => ({
  id: type,
  type,
  title: type,
  options: { totals: true },
  slots: Object.entries(slots).map(([name, content]) => ({ name, content: [...content] })),
});

const tables: readonly Measured[] = [
  {
    name: 'a regular table of 8 columns',
    item: item('regular-table', {
      columns: [
        category('Product'),
        category('Country'),
        time('Day', 5),
        euros('Revenue'),
        number('Orders'),
        euros('Cost'),
        number('Visits'),
        number('Returns'),
      ],
    }),
    rowsOf: `(index) => ['Product ' + index, 'Country ' + index % 40, new Date(index * 86400000 / 20).toISOString(),
      index * 37 % 9973, index % 97, index * 11 % 7919, index % 1009, index % 13]`,
  },
  {
    name: 'a pivot table of two dimensions by four years',
    item: item('pivot-table', {
      row: [category('Country'), category('Product')],
      column: [time('Year', 1)],
      measure: [euros('Revenue'), number('Orders')],
    }),
    rowsOf: `(index) => ['Country ' + Math.floor(index / 2000), 'Product ' + Math.floor(index / 4),
      (2020 + index % 4) + '-01-01T00:00:00.000Z', index * 37 % 9973, index % 97]`,
  },
];

async function openTable(browser: Browser, script: string, { item: given, rowsOf }: Measured): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent('<!doctype html><style>section { width: 1200px; height: 700px }</style>');
  await page.addScriptTag({ type: 'module', content: script });
  await page.waitForFunction('globalThis.showItem !== undefined');
  await page.evaluate(`showItem(${JSON.stringify(given)}, Array.from({ length: ${rowCount} }, (_, index) => (${rowsOf})(index)),
    { theme: 'default', locale: 'en' })`);
  await page.locator('tbody tr').first().waitFor();
  return page;
}

/** Scrolls by this many px a frame, to and fro. */
const scroll = (page: Page, stepPx: number): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const body = document.querySelector('inlay-card').shadowRoot.querySelector('.body');
    let left = ${frames};
    const step = () => {
      if (left === 0) return resolve();
      body.scrollTop += left > ${frames / 2} ? ${stepPx} : -${stepPx};
      left -= 1;
      requestAnimationFrame(step);
    };
    body.scrollTop = 300000;
    requestAnimationFrame(step);
  })`);

const numberIn = (of: JsonObject, name: string): number => Number(member(of, name) ?? 0);
const counted = ['FireAnimationFrame', 'EventDispatch', 'RunMicrotasks', 'UpdateLayoutTree', 'Layout', 'PrePaint'];

/** Processor milliseconds of script, style and layout of each frame in a trace; what runs within another event counts once. */
function frameTimes(events: readonly JsonObject[]): readonly number[] {
  const starts = events
    .filter((event) => member(event, 'name') === 'FireAnimationFrame')
    .map((event) => ({ at: numberIn(event, 'ts'), thread: member(event, 'tid') ?? null }))
    .toSorted((a, b) => a.at - b.at);
  const thread = starts[0]?.thread;
  const spans = events
    .filter((event) => counted.some((name) => name === member(event, 'name')) && member(event, 'tid') === thread)
    .map((event) => ({
      from: numberIn(event, 'ts'),
      to: numberIn(event, 'ts') + numberIn(event, 'dur'),
      usedMs: numberIn(event, 'tdur') / 1000,
    }))
    .toSorted((a, b) => a.from - b.from);
  const times = starts.map(() => 0);
  let end = 0;
  let frame = 0;
  for (const { from, to, usedMs } of spans) {
    while ((starts[frame + 1]?.at ?? Number.POSITIVE_INFINITY) <= from) frame += 1;
    if (from >= end) times[frame] = (times[frame] ?? 0) + usedMs;
    end = Math.max(end, to);
  }
  return times.slice(2);
}

async function traced(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<readonly JsonObject[]> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink', 'v8'] });
  await work();
  const trace: Json = JSON.parse((await browser.stopTracing()).toString());
  const events = isObject(trace) ? member(trace, 'traceEvents') : undefined;
  return events !== undefined && isList(events) ? events.filter(isObject) : [];
}

const browser = await startBrowser();
const script = await builtPage('table-page.mjs');
for (const table of tables) {
  const page = await openTable(browser, script, table);
  say(`${table.name}, ${rowCount} rows`);
  for (const stepPx of [24, 120, 2400]) {
    await scroll(page, stepPx);
    const times = frameTimes(await traced(browser, page, () => scroll(page, stepPx))).toSorted((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    const p95 = at(0.95);
    say(
      `  ${p95 <= maxMs ? 'ok  ' : 'OVER'} ${stepPx} px a frame: script, style and layout take ${at(0.5).toFixed(1)} ms median, ` +
        `${p95.toFixed(1)} p95, ${at(1).toFixed(1)} most (${times.length} frames; at most ${maxMs} p95)`,
    );
  }
  await page.close();
}
await endBrowser();

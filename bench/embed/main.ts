// npm run bench:embed: sizes; a dashboard of 12 items over a million rows in Chromium beside bare ECharts; files; a mixed set of
// 80 items on the server; 16 items over rows at PostgreSQL.
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';
import { isList, isObject, itemQuery, readItem, type Json, type JsonObject, viewFor } from '@inlay/contract';
import type { RenderJob, FilledItem } from '../../packages/service/src/export/render-job.ts';
import { draw } from '../../packages/service/src/export/drawing/drawing.ts';
import { endBrowser, openDashboard, rendered, startBrowser } from '../../test/browser/page.ts';
import { contentsOf } from '../../test/browser/sales.ts';
import { startEmbedWorld, type EmbedWorld } from '../../test/browser/world.ts';
import { median, say, within } from '../measure.ts';
import { builtPage } from './built-page.ts';
import { millionRows, twelve } from './million.ts';
import { measureMixed } from './mixed.ts';
import { mount } from './mount.ts';
import { measureSource } from './source.ts';
import { sizesOf } from './sizes.ts';
import { datasetIn } from '../../test/support/world.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const rowCount = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
function showSizes(): void {
  const { element, types } = sizesOf();
  say('Sizes, gzipped');
  within('the element', element / 1024, 32, 'KB');
  const largest = types.reduce((most, one) => (one.first > most.first ? one : most));
  within(`the first chart (${largest.type})`, largest.first / 1024, 190, 'KB');
  const further = types.reduce((most, one) => (one.further > most.further ? one : most));
  within(`a further type (${further.type})`, further.further / 1024, 25, 'KB');
  say(`  ${types.map((one) => `${one.type} ${kb(one.first)} first, ${kb(one.further)} further`).join('; ')}`);
}

interface Told {
  readonly index: number;
  readonly rows: readonly (readonly Json[])[];
  /** Until the engine had the answer, from when it was asked. */
  readonly waitedMs: number;
  readonly workedMs: number;
  readonly cached: boolean;
}

/** Returns the same queries as the page sends, from here: what was answered, and how long the engine took for each. */
async function ask(world: EmbedWorld, queries: readonly JsonObject[]): Promise<readonly Told[]> {
  const answer = await fetch(`${world.service.url}/0.1.0/data`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/x-ndjson',
      authorization: `Bearer ${world.owner.key}:${world.owner.token}`,
    },
    body: JSON.stringify({ action: 'get', find: { queries } }),
  });
  return (await answer.text())
    .trim()
    .split('\n')
    .map((line): Told => {
      const read: Json = JSON.parse(line);
      const object = isObject(read) ? read : {};
      const times = object['performance'] ?? null;
      const ms = (name: string): number => (isObject(times) ? Number(times[name]) : 0);
      const data = object['data'] ?? null;
      if (!isList(data)) throw new Error(line.slice(0, 500));
      return {
        index: Number(object['index']),
        rows: data.filter(isList),
        waitedMs: ms('queuing') + ms('querying'),
        workedMs: ms('querying'),
        cached: object['cached'] === true,
      };
    })
    .toSorted((a, b) => a.index - b.index);
}

/**
 * Returns the engine's own time for all queries: no less than the slowest took, nor than all of them share among the
 * cores.
 */
const engineTime = (told: readonly Told[]): number =>
  Math.max(
    ...told.map(({ waitedMs }) => waitedMs),
    told.reduce((sum, { workedMs }) => sum + workedMs, 0) / availableParallelism(),
  );

async function measurePage(): Promise<readonly FilledItem[]> {
  const world = await startEmbedWorld({ INLAY_DEMO: 'false' });
  const browser = await startBrowser();
  const script = await builtPage('bare.ts');
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' });
    response.end(script);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const scriptUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/bare.js`;
  try {
    say(`\nA dashboard of 12 items over ${rowCount.toLocaleString('en')} rows, headless Chromium, ${rounds} rounds`);
    const pushed = await fetch(`${world.service.url}/0.1.0/data/file?name=Million&header=true`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${world.owner.key}:${world.owner.token}` },
      body: millionRows(rowCount),
    });
    const dataset = await world.datasetOf(datasetIn(JSON.parse(await pushed.text())).id);
    const items = twelve(dataset);
    const id = await world.dashboard(contentsOf(dataset, items));
    const access = { dashboards: [{ id, rights: 'read' }], datasets: [{ id: dataset.id, rights: 'use' }] };
    const token = await world.token([id], { access });
    const wanted = items.map((one) => {
      const item = readItem(one);
      const query = item === null ? null : itemQuery(item, { localeId: 'en', timezoneId: 'UTC' });
      if (item === null || query === null) throw new Error('an item asks for nothing');
      return { item, query };
    });
    const queries = wanted.map(({ query }) => query.query);
    const coldMs = performance.now();
    const { page } = await openDashboard(browser, world, id, token, { height: 1300 });
    await rendered(page);
    say(`  from opening the page, nothing kept: ${(performance.now() - coldMs).toFixed(0)} ms`);
    const answers = await ask(world, queries);
    await page.evaluate(`import('${scriptUrl}').then((bare) => { globalThis.bare = bare; })`);
    const given = items.map((item, index) => ({ item, rows: answers[index]?.rows ?? [], widthPx: 386, heightPx: 220 }));
    await page.evaluate(`globalThis.given = ${JSON.stringify(given)}`);
    const bare = (): Promise<number> =>
      page.evaluate(`(async () => {
        // In sight, where the dashboard was: what is below the fold is not painted.
        const dashboard = document.querySelector('inlay-dashboard');
        const room = document.querySelector('main').appendChild(document.createElement('div'));
        dashboard.hidden = true;
        Object.assign(room.style, { display: 'grid', gridTemplateColumns: '1fr 1fr 1fr', gap: '12px' });
        const places = given.map(() => room.appendChild(document.createElement('div')));
        const ms = await bare.draw(given, places);
        room.remove();
        dashboard.hidden = false;
        return ms;
      })()`);
    const measured: { firstMs: number; allMs: number; bareMs: number; engineMs: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const bareMs = await bare();
      const told = await ask(world, queries);
      if (told.some(({ cached }) => cached)) throw new Error('an answer was kept from before');
      const engineMs = engineTime(told);
      const { firstMs, allMs } = await mount(page);
      if (round > 0) measured.push({ firstMs, allMs, bareMs, engineMs });
    }
    const of = (name: keyof (typeof measured)[number]): number => median(measured.map((one) => one[name]));
    say(
      `  bare ECharts ${of('bareMs').toFixed(0)} ms, engine ${of('engineMs').toFixed(0)} ms, element ${of('allMs').toFixed(0)} ms (medians)`,
    );
    say(
      `  all drawn, to bare ECharts and the engine: ${median(measured.map((one) => one.allMs / (one.bareMs + one.engineMs))).toFixed(2)}`,
    );
    within('all drawn', of('allMs'), median(measured.map(({ bareMs, engineMs }) => bareMs + engineMs + 150)), 'ms');
    within('the first chart', of('firstMs'), 400, 'ms');
    return wanted.map(({ item, query }, index) => ({
      item,
      query,
      selection: null,
      comparison: null,
      rows: answers[index]?.rows ?? [],
      truncated: false,
      failure: null,
    }));
  } finally {
    server.closeAllConnections();
    server.close();
    await browser.close();
    await world.stop();
  }
}

async function measureFiles(items: readonly FilledItem[]): Promise<void> {
  say('\nFiles on the server');
  const contents: JsonObject = { views: [{ screenModus: 'desktop', options: {}, items: [] }] };
  const job = (type: RenderJob['type'], some: readonly FilledItem[]): RenderJob => ({
    type,
    columns: [],
    title: { en: 'Sales' },
    contents: {},
    themes: [],
    locale: 'en',
    timeZone: 'UTC',
    currency: null,
    nowMs: 0,
    widthPx: 1200,
    scale: 2,
    patterns: false,
    fonts: [],
    paper: null,
    selections: [],
    showsTitle: false,
    view: { ...viewFor(contents, 'desktop'), items: some.map(({ item }) => item) },
    items: some.map((one) => ({ ...one, comparison: null })),
  });
  const times = async (given: RenderJob, some: readonly FilledItem[], count: number): Promise<readonly number[]> => {
    const all: number[] = [];
    for (let round = 0; round < count; round += 1) {
      const startMs = performance.now();
      await draw(given, some);
      all.push(performance.now() - startMs);
    }
    return all;
  };
  const time = async (type: RenderJob['type']): Promise<number> =>
    median((await times(job(type, items), items, 12)).slice(2));
  const charts = items.filter(({ item }) => !['pivot-table', 'evolution-number'].includes(item.type));
  const each: { readonly type: string; readonly firstMs: number; readonly laterMs: number }[] = [];
  for (const one of charts) {
    const alone = { ...one, item: { ...one.item, position: { col: 0, row: 0, sizeX: 24, sizeY: 18 } } };
    const all = await times(job('svg', [alone]), [alone], 60);
    each.push({ type: one.item.type, firstMs: median(all.slice(2, 12)), laterMs: median(all.slice(-30)) });
  }
  say('  SVG, the third to twelfth drawing of a type and the last thirty of sixty:');
  say(
    `  ${each.map(({ type, ...of }) => `${type} ${of.firstMs.toFixed(1)} / ${of.laterMs.toFixed(1)}`).join(', ')} ms`,
  );
  const slowest = Math.max(...each.map(({ laterMs }) => laterMs));
  within('SVG of a chart, the median type, first drawings', median(each.map(({ firstMs }) => firstMs)), 15, 'ms');
  within('SVG of a chart, the slowest type, later drawings', slowest, 15, 'ms');
  within('PDF of 12 items', await time('pdf'), 500, 'ms');
  within('PNG of 12 items, twice the size', await time('png'), 1000, 'ms');
}

showSizes();
// Before anything is built here: Vite has what it starts later believe that it runs in production.
await measureSource(rounds);
await measureFiles(await measurePage());
await measureMixed();
await endBrowser();

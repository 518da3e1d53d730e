import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Item, type Json, queryFor, viewFor } from '@inlay/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { createMemoryWatch } from '../../packages/service/src/engine/memory-watch.ts';
import type { RenderJob } from '../../packages/service/src/export/render-job.ts';
import { RenderPool } from '../../packages/service/src/export/rendering/render-pool.ts';
import { Problem } from '../../packages/service/src/problems/problem.ts';
import { contentsOf, inSlot, item, slot } from '../browser/sales.ts';

const dataset = {
  id: 'ds',
  columns: { day: 'day', region: 'region', product: 'product', revenue: 'revenue', quantity: 'quantity' },
};
const on = (name: 'region' | 'product' | 'revenue') => inSlot(dataset, name);

const pivot = item(
  'pivot',
  'pivot-table',
  [slot('row', on('region')), slot('column', on('product')), slot('measure', on('revenue'))],
  [0, 0, 48, 40],
);
const bars = item(
  'bars',
  'column-chart',
  [slot('x-axis', on('region')), slot('measure', on('revenue'))],
  [0, 0, 24, 16],
);
const nested = item(
  'nested',
  'treemap-chart',
  [slot('category', on('region'), on('product')), slot('measure', on('revenue'))],
  [0, 0, 48, 40],
);

const row = (at: number, cells: number): readonly Json[] =>
  cells === 2
    ? [{ id: `r${at}`, name: `r${at}` }, at]
    : [{ id: `r${at}`, name: `r${at}` }, { id: `p${at}`, name: `p${at}` }, at];
const rowsOf = (count: number, cells: number) => Array.from({ length: count }, (_, at) => row(at, cells));

const never = new AbortController().signal;

describe('files that are drawn', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-turns-'));
  const reasons: string[] = [];
  const pool = new RenderPool({
    folder,
    watch: createMemoryWatch(),
    failed: (reason) => reasons.push(reason),
    renderMs: 60_000,
  });
  afterAll(async () => {
    await pool.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const jobOf = (given: ReturnType<typeof item>, type: RenderJob['type'] = 'svg'): RenderJob => {
    const view = viewFor(contentsOf(dataset, [given]), 'desktop');
    return {
      type,

      columns: ['Region', 'Revenue'].map((heading, place) => ({ heading, place })),
      title: null,
      contents: {},
      themes: [],
      locale: 'en',
      timeZone: 'UTC',
      currency: null,
      nowMs: 0,
      view,
      widthPx: 1200,
      scale: 1,
      patterns: false,
      fonts: [],
      paper: null,
      selections: [],
      showsTitle: false,
      items: view.items.map((one: Item) => ({
        item: one,
        selection: null,
        comparison: null,
        query: queryFor({ item: one, own: [] }, [], { localeId: 'en', timezoneId: 'UTC', dashboardId: null }),
      })),
    };
  };
  const draw = (
    organizationId: string,
    job: RenderJob,
    rows: readonly (readonly Json[])[],
    signal = never,
    by = pool,
  ): Promise<string> =>
    by.withSpool(async (path) => {
      writeFileSync(path, `${JSON.stringify(rows)}\n`);
      const answers = { path, answers: [{ kind: 'rows', line: 0, truncated: false }] } as const;
      return Buffer.from(await by.render(organizationId, job, answers, signal)).toString();
    });
  const codeOf = (drawn: Promise<unknown>): Promise<string> =>
    drawn.then(
      () => 'drawn',
      (error: unknown) => (error instanceof Problem ? error.data.code : String(error)),
    );

  it('come for one organization while those of another take all the time there is', async () => {
    const huge = rowsOf(160_000, 3);
    const abort = new AbortController();
    let ended = 0;
    const hostile = [1, 2, 3, 4].map(() =>
      codeOf(draw('hostile', jobOf(nested), huge, abort.signal)).finally(() => (ended += 1)),
    );
    for (let time = 0; time < 3; time += 1)
      expect(await draw('honest', jobOf(bars), rowsOf(5, 2))).toMatch(/^<svg[\s\S]*r4/u);
    expect(ended).toBeLessThan(hostile.length);
    abort.abort(new Error('enough'));
    await Promise.all(hostile);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are given up at their deadline, and those behind them come', async () => {
    const hurried = new RenderPool({ folder, watch: createMemoryWatch(), failed: () => undefined, renderMs: 100 });
    const hostile = draw('hostile', jobOf(nested), rowsOf(160_000, 3), never, hurried);
    expect(await codeOf(hostile)).toBe('deadline_passed');
    await hurried.close();
    expect(await draw('hostile', jobOf(bars), rowsOf(3, 2))).toContain('<svg');
  });

  it('are refused before they are drawn where a pivot table has more cells than a file may', async () => {
    const refused = draw('hostile', jobOf(pivot), rowsOf(1000, 3));
    await expect(refused).rejects.toThrow('There are 1000000 cells and marks to draw, more than 500000.');
    expect(await codeOf(draw('hostile', jobOf(pivot), rowsOf(1000, 3)))).toBe('export_too_large');
    expect(await draw('hostile', jobOf(pivot), rowsOf(100, 3))).toContain('<svg');
  });

  it('leave their place at once when nobody wants them any more, waiting or under way', async () => {
    const huge = rowsOf(160_000, 3);
    const abort = new AbortController();
    const both = [1, 2].map(() => codeOf(draw('hostile', jobOf(nested), huge, abort.signal)));
    setTimeout(() => abort.abort(new Error('gone')), 300);
    expect(await Promise.all(both)).toEqual(['Error: gone', 'Error: gone']);
    expect(await draw('hostile', jobOf(bars), rowsOf(3, 2))).toContain('<svg');
  });

  it('say why there are no rows, and are tables too', async () => {
    expect(await draw('honest', jobOf(bars, 'csv'), rowsOf(2, 2))).toBe(
      '\uFEFF"Region","Revenue"\r\n"r0",0\r\n"r1",1\r\n',
    );
    const failed = pool.withSpool((path) => {
      writeFileSync(path, '');
      const answers = { path, answers: [{ kind: 'failed', message: 'no such column' }] } as const;
      return pool.render('honest', jobOf(bars, 'csv'), answers, new AbortController().signal);
    });
    await expect(failed).rejects.toThrow('no such column');
  });

  it('of one organization are refused where too many wait already', async () => {
    const many = Array.from({ length: 25 }, () => codeOf(draw('hostile', jobOf(bars), rowsOf(3, 2))));
    const codes = await Promise.all(many);
    expect(new Set(codes)).toEqual(new Set(['drawn', 'overloaded']));
    expect(codes.filter((code) => code === 'drawn').length).toBeGreaterThanOrEqual(20);
    expect(reasons.filter((reason) => !reason.includes('ended'))).toEqual([]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sheetRows } from '../../packages/service/src/workbook/read-sheet.ts';
import { contentsOf, item, slot } from '../browser/sales.ts';
import { startEmbedWorld, textOf, type Credential, type EmbedWorld } from '../browser/world.ts';
import { datasetIn } from '../support/world.ts';
import { roomy } from '../support/workbooks.ts';

const visits = [
  ['day', 'at', 'n'],
  ['2026-06-01', '2026-06-02T02:30:00Z', 1],
  ['2026-06-01', '2026-11-01T05:30:00Z', 2],
  ['2026-11-02', '2026-11-01T06:30:00Z', 4],
];

describe('a file in a time zone of its own', () => {
  let world: EmbedWorld;
  let dashboard: string;
  let token: Credential;

  const ask = async (properties: JsonObject): Promise<Buffer> => {
    const answer = await fetch(`${world.service.url}/0.1.0/export`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token.key}:${token.token}`,
        connection: 'close',
      },
      body: JSON.stringify({
        action: 'create',
        properties: { dashboard_id: dashboard, timezone_id: 'America/New_York', ...properties },
      }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.status, bytes.toString('utf8').slice(0, 300)).toBe(200);
    return bytes;
  };
  const lines = async (id: string): Promise<readonly string[]> =>
    (await ask({ type: 'csv', item_id: id })).toString('utf8').replaceAll('"', '').trim().split('\r\n').slice(1);

  beforeAll(async () => {
    world = await startEmbedWorld({ INLAY_DEMO: 'false' });
    const pushed = datasetIn(
      await world.ok('data', {
        action: 'create',
        properties: { type: 'create', data: visits, options: { header: true, name: { en: 'Visits' } } },
      }),
    );
    const found: readonly JsonObject[] = Object(
      (await world.ok('column', { find: { where: { securable_id: pushed.id } } }))['rows'],
    );
    const on = (name: string, type: string, more: JsonObject = {}): JsonObject => ({
      datasetId: pushed.id,
      type,
      label: name,
      columnId: textOf(found.find((one) => one['source_name'] === name)?.['id']),
      ...more,
    });
    const n = on('n', 'numeric', { aggregationFunc: 'sum' });
    const table = (id: string, time: JsonObject): JsonObject =>
      item(id, 'regular-table', [slot('columns', time, n)], [0, 0, 24, 16]);
    const items = [
      table('moments', on('at', 'datetime')),
      table('hours', on('at', 'datetime', { level: 6 })),
      table('days', on('at', 'datetime', { level: 5 })),
      table('dates', on('day', 'datetime', { level: 5 })),
      table('months', on('day', 'datetime', { level: 3 })),
      item(
        'bars',
        'column-chart',
        [slot('x-axis', on('day', 'datetime', { level: 5 })), slot('measure', n)],
        [24, 0, 24, 16],
      ),
      item(
        'line',
        'line-chart',
        [slot('x-axis', on('day', 'datetime', { level: 3 })), slot('measure', n)],
        [24, 16, 24, 16],
      ),
    ];
    const made = await world.ok('dashboard', {
      action: 'create',
      properties: { name: { en: 'Visits' }, contents: contentsOf(world.dataset, items) },
      associations: [{ role: 'Datasets', id: pushed.id }],
    });
    dashboard = textOf(made['id']);
    token = await world.token([dashboard], {
      access: {
        dashboards: [{ id: dashboard, rights: 'read' }],
        datasets: [{ id: pushed.id, rights: 'use' }],
      },
    });
  });
  afterAll(() => world?.stop());

  it('has the wall clock with its offset, so that both hours that a change of clocks repeats differ', async () => {
    expect(await lines('moments')).toEqual([
      '2026-06-01T22:30:00-04:00,1',
      '2026-11-01T01:30:00-04:00,2',
      '2026-11-01T01:30:00-05:00,4',
    ]);
    expect(await lines('hours')).toEqual([
      '2026-06-01T22:00:00-04:00,1',
      '2026-11-01T01:00:00-04:00,2',
      '2026-11-01T01:00:00-05:00,4',
    ]);
    expect(await lines('days')).toEqual(['2026-06-01,1', '2026-11-01,6']);
  });

  it('has dates without time as they are stored, as pictures have', async () => {
    expect(await lines('dates')).toEqual(['2026-06-01,3', '2026-11-02,4']);
    expect(await lines('months')).toEqual(['2026-06,3', '2026-11,4']);
    const textsOf = async (id: string): Promise<readonly string[]> => {
      const svg = (await ask({ type: 'svg', item_id: id, locale_id: 'en', width: 900 })).toString('utf8');
      return [...svg.matchAll(/<(?:text|tspan)[^>]*>([^<]*)</gu)].map(([, text = '']) => text);
    };
    expect(await textsOf('dates')).toEqual(expect.arrayContaining(['Jun 1, 2026', 'Nov 2, 2026']));
    expect(await textsOf('bars')).toEqual(expect.arrayContaining(['Jun 1', 'Nov 2']));
    expect(await textsOf('line')).toEqual(expect.arrayContaining(['Jun', 'Nov']));
  });

  it('has date cells of the wall clock in workbooks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-export-'));
    try {
      const path = join(folder, 'rows.xlsx');
      const rowsOf = async (id: string): Promise<readonly unknown[]> => {
        writeFileSync(path, await ask({ type: 'xlsx', item_id: id }));
        const found: unknown[] = [];
        for await (const chunk of sheetRows(path, null, roomy)) found.push(...chunk);
        return found.slice(1);
      };
      expect(await rowsOf('moments')).toEqual([
        ['2026-06-01T22:30:00.000', 1],
        ['2026-11-01T01:30:00.000', 2],
        ['2026-11-01T01:30:00.000', 4],
      ]);
      expect(await rowsOf('dates')).toEqual([
        ['2026-06-01', 3],
        ['2026-11-02', 4],
      ]);
      expect(await rowsOf('months')).toEqual([
        ['2026-06-01', 3],
        ['2026-11-01', 4],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

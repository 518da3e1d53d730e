import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@inlay/client';
import { isList, isObject, type Json } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientWith } from '../../examples/connect.ts';
import { startService, type ServiceProcess } from '../support/process.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../../examples');
const key = randomUUID();
const token = randomBytes(32).toString('base64url');

const held: { service?: ServiceProcess } = {};
const connection = (): Client => clientWith(held.service?.url ?? '', { key, token });

async function runExample(name: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, INLAY_URL: held.service?.url, INLAY_KEY: key, INLAY_TOKEN: token };
  const { stdout } = await run(process.execPath, [join(folder, name), ...args], { env });
  return stdout;
}

const rowsOf = (output: string): readonly Json[] => {
  const value: Json = JSON.parse(output);
  return isList(value) ? value : [];
};

describe('the examples', () => {
  beforeAll(async () => {
    held.service = await startService({ env: { INLAY_BOOTSTRAP_KEY: key, INLAY_BOOTSTRAP_TOKEN: token } });
  });
  afterAll(async () => {
    await held.service?.stop();
  });

  it('are all run here', () => {
    const tried = ['connect.ts', 'embed-token.ts', 'first-dashboard.ts', 'hand-over.ts', 'sales-dashboard.ts'];
    expect(globSync('*.ts', { cwd: folder }).toSorted()).toEqual(tried);
  });

  it('make a first dashboard and find it with its tag and its dataset', async () => {
    const [row] = rowsOf(await runExample('first-dashboard.ts'));
    expect(row).toMatchObject({
      name: { fr: 'Ventes' },
      tags: [{ name: { en: 'Quarterly' } }],
      datasets: [{ name: { en: 'Orders' } }],
    });
  });

  it('make an embed token that sees the one dashboard it was given', async () => {
    const rows = rowsOf(await runExample('embed-token.ts'));
    expect(rows.map((row) => (isObject(row) ? row['name'] : null))).toEqual([{ en: 'Sales' }]);
  });

  it('make a dashboard of eight charts over linked datasets, of which a tenant sees its own rows', async () => {
    const lines = (await runExample('sales-dashboard.ts')).trim().split('\n');
    const plain = (json: Json): Json =>
      isList(json) ? json.map(plain) : isObject(json) && 'id' in json ? (json['id'] ?? null) : json;
    const shown = new Map(
      lines.map((line) => {
        const [item = '', ...rest] = line.split(' ');
        const rows: Json = JSON.parse(rest.join(' '));
        return [item, plain(rows)] as const;
      }),
    );
    const [january, february] = ['2025-01-01T00:00:00.000Z', '2025-02-01T00:00:00.000Z'];
    expect(Object.fromEntries(shown)).toEqual({
      latest: [
        [january, 120],
        [february, 380],
      ],
      months: [
        [january, 'Books', 120],
        [february, 'Games', 380],
      ],
      customers: [
        ['Bea', 300],
        ['Ada', 200],
      ],
      segments: [
        ['Industry', 300],
        ['Retail', 200],
      ],
      both: [
        [january, 120, 80],
        [february, 380, 290],
      ],
      pivot: [
        ['Industry', 'Games', 300],
        ['Retail', 'Books', 120],
        ['Retail', 'Games', 80],
      ],
      table: [
        ['Books', 120, (120 - 80) / 120],
        ['Games', 380, (380 - 290) / 380],
      ],
      points: [
        ['Ada', 200, 130],
        ['Bea', 300, 240],
      ],
    });
  });

  it('hand everything of one person over to another', async () => {
    const email = 'heir@example.com';
    const heir = (await connection().create('user', { email })).id;
    const before = await connection().transport.call('securable', { action: 'search', find: { limit: 0 } });
    const output = await runExample('hand-over.ts', email);
    const lines = output.trim().split('\n');
    expect(before).toMatchObject({ count: lines.length });
    for (const line of lines) expect(line).toContain(`now belongs to ${heir}`);
    const theirs = { where: { owner_id: heir }, limit: 0 };
    const after = await connection().transport.call('securable', { action: 'search', find: theirs });
    expect(after).toMatchObject({ count: lines.length });
  });
});

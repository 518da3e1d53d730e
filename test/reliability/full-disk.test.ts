import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type ServiceProcess } from '../support/process.ts';

const diskMb = 48;
const mb = 1024 ** 2;
const folder = mkdtempSync(join(tmpdir(), 'inlay-full-'));
const owner = { key: '0190a000-0000-7000-8000-000000000001', token: 'a-token-of-forty-characters-0123456789abcd' };

/** Returns a disk of its own, where the system lets us have one. */
function mounted(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const isMounted = mounted();
const filler = join(folder, 'filler');

/** Leaves this many bytes free. */
function fill(leftBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const count = leftBytes === 0 ? [] : [`count=${Math.floor((bavail * bsize - leftBytes) / 4096)}`];
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096', ...count], { stdio: 'ignore' });
  } catch {
    // It is full.
  }
}
const free = (): void => rmSync(filler, { force: true });

function* csvOf(rows: number): Generator<string> {
  yield 'id,word\n';
  for (let id = 0; id < rows; id += 1)
    yield `${id},${(id * 2_654_435_761).toString(36)}${(id * 40_503).toString(36)}\n`;
}
const csv = (rows: number): string => [...csvOf(rows)].join('');

afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

describe.runIf(isMounted)('a full disk', () => {
  let service: ServiceProcess;
  const dataDir = join(folder, 'data');

  const send = async (path: string, body: string, type = 'application/json') => {
    const answer = await fetch(`${service.url}/0.1.0/${path}`, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${owner.key}:${owner.token}`, connection: 'close' },
      body,
    });
    const read: Json = JSON.parse(await answer.text());
    return { status: answer.status, wait: answer.headers.get('retry-after'), body: read };
  };
  const upload = (rows: number) => send('data/file?name=Rows&header=true', csv(rows), 'text/csv');
  const full = { status: 503, wait: '60', body: { code: 'disk_full' } };
  const left = (): readonly string[] =>
    readdirSync(dataDir, { recursive: true })
      .map(String)
      .filter((name) => /^uploads\/.|\.duckdb\..|exports\/./u.test(name));
  const versions = (): number =>
    readdirSync(dataDir, { recursive: true }).filter((name) => String(name).endsWith('.duckdb')).length;

  beforeAll(async () => {
    service = await startService({
      env: {
        INLAY_DATA_DIR: dataDir,
        INLAY_BOOTSTRAP_KEY: owner.key,
        INLAY_BOOTSTRAP_TOKEN: owner.token,
        INLAY_RATE_LIMIT: '0',
      },
    });
    expect((await upload(100)).status).toBe(200);
  });
  afterAll(async () => {
    free();
    await service?.stop();
  });

  it('while a file comes in is a 503 that says so, and nothing of the file is left', async () => {
    fill(mb);
    try {
      expect(await upload(200_000)).toMatchObject(full);
      expect(left()).toEqual([]);
    } finally {
      free();
    }
  });

  it('while rows are written is one too, and no version of them is there', async () => {
    const before = versions();
    const file = csv(150_000);
    // There is room for the file, and none for the rows.
    fill(file.length + 300_000);
    try {
      expect(await send('data/file?name=Rows&header=true', file, 'text/csv')).toMatchObject(full);
      expect(left()).toEqual([]);
      expect(versions()).toBe(before);
    } finally {
      free();
    }
  });

  it('while records are written is one too, in answers that say that nothing stands', async () => {
    fill(0);
    const group = (name: string): JsonObject => ({ action: 'create', properties: { name: { en: name } } });
    const refused: string[] = [];
    try {
      for (let at = 0; at < 300; at += 1) {
        const name = `${at} ${'x'.repeat(200)}`;
        const { status, wait, body } = await send('group', JSON.stringify(group(name)));
        if (status === 200) continue;
        expect({ status, wait, body }).toMatchObject(full);
        refused.push(name);
        if (refused.length === 3) break;
      }
      expect(refused).toHaveLength(3);
    } finally {
      free();
    }
    const { status, body } = await send('group', JSON.stringify({ find: {} }));
    expect(status).toBe(200);
    for (const name of refused) expect(JSON.stringify(body)).not.toContain(name);
  });

  it('does not end the service: there is room again, and all is stored', async () => {
    const made = await upload(1000);
    expect(made, service.output().slice(-2000)).toMatchObject({
      status: 200,
      body: { count: 1, rows: [{ rows: 1000 }] },
    });
    expect(
      (await send('group', JSON.stringify({ action: 'create', properties: { name: { en: 'After' } } }))).status,
    ).toBe(200);
  });
});

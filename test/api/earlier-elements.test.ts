import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { keepElements } from '../../packages/service/src/pages/earlier-elements.ts';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';

const root = mkdtempSync(join(tmpdir(), 'inlay-elements-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const dayMs = 24 * 3_600_000;
const startMs = Date.UTC(2026, 0, 1);

/** Creates a folder as a build of the elements leaves it. */
function build(files: Readonly<Record<string, string>>): URL {
  const folder = mkdtempSync(join(root, 'build-'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
  }
  return pathToFileURL(`${folder}/`);
}

describe.each(storesToTest)('files of the elements on %s', (store) => {
  const api = useApi(store, {});
  const get = (name: string, headers: Readonly<Record<string, string>> = {}) =>
    api.service.server.inject({ url: `/embed/${name}`, headers });
  const keep = (folder: URL, nowMs: number) =>
    keepElements(api.service.app.service.store, folder, { nowMs, keepDays: 30 });

  it('of earlier builds are served for as long as they are kept, and others are not there', async () => {
    const text = 'export const bars = "ünïcode";';
    const first = build({ 'inlay.js': 'first', 'chunk-bars-1234567.js': text, 'chunk-lines-1234567.js': 'lines' });
    const second = build({
      'inlay.js': 'second',
      'chunk-bars-7654321.js': 'new bars',
      'chunk-lines-1234567.js': 'lines',
    });
    expect((await get('chunk-bars-1234567.js')).statusCode).toBe(404);
    await keep(first, startMs);
    await keep(first, startMs);
    await keep(second, startMs + 20 * dayMs);
    const answer = await get('chunk-bars-1234567.js');
    expect([answer.statusCode, answer.body]).toEqual([200, text]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    // As it is stored where the client can read that, and not again where it has it.
    const encoded = await get('chunk-bars-1234567.js', { 'accept-encoding': 'gzip, br' });
    expect(encoded.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotliDecompressSync(encoded.rawPayload).toString()).toBe(text);
    expect(encoded.headers['etag']).toBe(answer.headers['etag']);
    const known = { 'if-none-match': String(answer.headers['etag']) };
    const again = await get('chunk-bars-1234567.js', known);
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await get('chunk-lines-1234567.js', known)).statusCode).toBe(200);
    for (const name of ['chunk-bars-0000000.js', 'inlay.js.br', 'other.js', 'chunk-..%2Fx.js'])
      expect((await get(name)).statusCode, name).toBe(404);
    // Those that the second build has too are used on.
    await keep(second, startMs + 31 * dayMs);
    expect((await get('chunk-bars-1234567.js')).statusCode).toBe(404);
    expect((await get('chunk-lines-1234567.js')).statusCode).toBe(200);
  });

  it('take 50 MB at most: the oldest go first', async () => {
    const names = Array.from({ length: 3 }, (_, n) => `chunk-large-000000${n}.js`);
    const { store: opened } = api.service.app.service;
    for (const [index, name] of names.entries()) {
      const now = new Date(startMs + (100 + index) * dayMs).toISOString();
      await opened.write({
        kind: 'elements',
        added: [{ name, body: '', bytes: 20 * 1024 * 1024 }],
        used: [],
        now,
        usedBefore: new Date(startMs).toISOString(),
      });
    }
    const kept = await opened.rows({
      parts: ["select name from element_file where name like 'chunk-large%' order by name"],
      values: [],
    });
    expect(kept.map(({ name }) => name)).toEqual(names.slice(1));
  });
});

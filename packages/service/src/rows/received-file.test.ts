import { existsSync, lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { receive } from './received-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-received-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sent = (chunks: number): Readable => Readable.from(Array.from({ length: chunks }, () => Buffer.alloc(700_000)));
const noSignal = new AbortController().signal;
const into = (name: string, stream: Readable): ReturnType<typeof receive> =>
  receive({ stream, format: 'csv', charset: null }, folder, name, 1e9, noSignal, () => undefined);

it.each([1, 20])(
  'a full disk is an error of its request and leaves nothing behind, after %i chunks',
  async (chunks) => {
    const path = join(folder, 'full.csv');
    symlinkSync('/dev/full', path);
    await expect(into('full', sent(chunks))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(existsSync(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined).toBe(false);
  },
);

it('a file that comes whole has all of its bytes', async () => {
  const { bytes, path, drop } = await into('whole', sent(5));
  expect([bytes, lstatSync(path).size]).toEqual([3_500_000, 3_500_000]);
  await drop();
  expect(existsSync(path)).toBe(false);
});

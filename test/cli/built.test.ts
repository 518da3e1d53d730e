import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildService, isStale } from '../../packages/service/build.mjs';
import { isOlder } from '../../scripts/newest.mjs';

const folder = mkdtempSync(join(tmpdir(), 'inlay-built-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const day = 24 * 3600;
const put = (name: string, ageS: number): string => {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  const at = Date.now() / 1000 - ageS;
  utimesSync(file, at, at);
  return file;
};

it('what was built is too old as soon as one source is newer, and not for the sake of a test', () => {
  const built = put('built.mjs', 100);
  const sources = [join(folder, 'one'), join(folder, 'two')];
  put('one/a.ts', 200);
  put('two/below/b.ts', 200);
  expect(isOlder(built, [...sources, join(folder, 'not shipped')])).toBe(false);
  put('two/below/b.test.ts', 50);
  expect(isOlder(built, sources)).toBe(false);
  put('two/below/b.ts', 50);
  expect(isOlder(built, sources)).toBe(true);
  expect(isOlder(join(folder, 'missing.mjs'), sources)).toBe(true);
});

it('a build leaves what a running program may still load, and says it is of the moment it began', async () => {
  const out = join(folder, 'dist');
  put('dist/lately-abc.mjs', 20 * day);
  put('dist/long-ago-abc.mjs', 40 * day);
  expect(isStale(out)).toBe(true);
  const begunMs = Date.now();
  await buildService(out);
  expect(isStale(out)).toBe(false);
  const saysMs = statSync(join(out, 'main.mjs')).mtimeMs - begunMs;
  expect(saysMs).toBeGreaterThanOrEqual(-1);
  expect(saysMs).toBeLessThan((Date.now() - begunMs) / 2);
  expect(existsSync(join(out, 'lately-abc.mjs'))).toBe(true);
  expect(existsSync(join(out, 'long-ago-abc.mjs'))).toBe(false);
  // Nothing half-written, and every file but the entry under a name that changes with what is in it.
  const others = readdirSync(out).filter((name) => name !== 'main.mjs');
  expect(others.filter((name) => !/-[\w-]+\.mjs$/u.test(name))).toEqual([]);
});

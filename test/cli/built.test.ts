import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildService } from '../../packages/service/build.mjs';

const folder = mkdtempSync(join(tmpdir(), 'inlay-built-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a build holds nothing of the one before, and no file that is half-written', async () => {
  const out = join(folder, 'dist');
  mkdirSync(out);
  writeFileSync(join(out, 'before-abc.mjs'), '');
  await buildService(out);
  expect(existsSync(join(out, 'main.mjs'))).toBe(true);
  expect(existsSync(join(out, 'before-abc.mjs'))).toBe(false);
  // Every file but the entry has a name that changes with what is in it.
  const others = readdirSync(out).filter((name) => name !== 'main.mjs');
  expect(others.filter((name) => !/-[\w-]+\.mjs$/u.test(name))).toEqual([]);
});

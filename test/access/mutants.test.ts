import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import { expect, it } from 'vitest';
import accessTests from './vitest.config.ts';

const root = join(import.meta.dirname, '../..');
const folder = 'packages/service/src/access';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function config(): JsonObject {
  const parsed: Json = JSON.parse(read('stryker.config.json'));
  if (!isObject(parsed)) throw new TypeError('stryker.config.json holds no object');
  return parsed;
}

const texts = (value: Json | undefined): readonly string[] => (isList(value) ? value.map(String) : []);

const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
const policy = files.filter((file) => !file.endsWith('.test.ts'));
const tests = files.filter((file) => file.endsWith('.test.ts'));

const matched = (path: string, patterns: readonly string[]): boolean =>
  patterns.reduce(
    (is, pattern) =>
      pattern.startsWith('!') ? is && !matchesGlob(path, pattern.slice(1)) : is || matchesGlob(path, pattern),
    false,
  );

it('every file of the access policy is mutated, its tests are not', () => {
  const mutate = texts(config()['mutate']);
  expect(policy.length).toBeGreaterThan(0);
  expect(policy.filter((file) => !matched(file, mutate))).toEqual([]);
  expect(tests.filter((file) => matched(file, mutate))).toEqual([]);
});

it('every test of the access policy runs against the mutants', () => {
  const include = accessTests.test?.include ?? [];
  expect(tests.filter((file) => !matched(file, include))).toEqual([]);
  expect(member(config(), 'vitest')).toMatchObject({ configFile: 'test/access/vitest.config.ts' });
});

it('one mutant that survives fails the run', () => {
  expect(member(config(), 'thresholds')).toMatchObject({ break: 100 });
  expect(config()).not.toHaveProperty('ignoreStatic');
  expect(config()).not.toHaveProperty('mutator');
});

it('no mutant is excused without a reason beside it', () => {
  const excuses = policy.flatMap((file) => read(file).match(/Stryker disable.*/gu) ?? []);
  expect(excuses.filter((excuse) => !/^Stryker disable next-line \w+: \S.{20,}/u.test(excuse))).toEqual([]);
});

import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { providers } from '../../packages/service/src/connectors/providers.ts';
import { importsOf, readSource } from '../support/architecture.ts';

const connectors = 'packages/service/src/connectors/';
const registry = `${connectors}providers.ts`;

/** Files in which the name of a provider is that of something else. */
const otherMeanings: Readonly<Record<string, string>> = {
  'packages/service/src/cli/doctor/store.ts': 'the store',
  'packages/service/src/cli/read-store.ts': 'the store',
  'packages/service/src/cli/commands/store-copy.ts': 'the store',
  'packages/service/src/config/weak-keys.ts': 'a weak password',
  'packages/service/src/connectors/clickhouse/query-rules.ts': 'a table function of ClickHouse',
  'packages/service/src/cluster/connect.ts': 'the cluster of the service, which is one of Trino',
  'packages/service/src/data/cluster/cluster.ts': 'the cluster of the service, which is one of Trino',
};
const otherFolders = /^packages\/(?:query\/src\/dialect|service\/src\/store)\//u;

const sources = readSource(join(import.meta.dirname, '../..')).filter(
  ({ path }) => path.startsWith('packages/') && path.includes('/src/') && !path.endsWith('.test.ts'),
);
const declarations = sources.filter(({ path }) => /\/connectors\/[\w-]+\/provider\.ts$/u.test(path));

test('each folder with a declaration of a provider is in the registry', () => {
  const entry = sources.find(({ path }) => path === registry);
  const imported = entry === undefined ? [] : importsOf(entry).map(({ target }) => target);
  expect(imported).toEqual(expect.arrayContaining(declarations.map(({ path }) => path)));
});

test.each(providers)('the name $name stands in the folder of its provider and in no other list', (provider) => {
  const own = declarations.find(({ text }) => text.includes(`name: '${provider.name}'`));
  const folder = posix.dirname(own?.path ?? '');
  const names = [provider.name, ...provider.aliases];
  const naming = sources.filter(
    ({ path, text }) =>
      !path.startsWith(`${folder}/`) &&
      !otherFolders.test(path) &&
      otherMeanings[path] === undefined &&
      (names.some((name) => text.includes(`'${name}'`)) ||
        importsOf({ path, text }).some(({ target }) => target.startsWith(`${folder}/`))),
  );
  expect(naming.map(({ path }) => path)).toEqual([registry]);
});

test('no two providers have a name in common', () => {
  const names = providers.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { besideMap, mayImportOf, readSource, rules, type SourceFile } from './support/architecture.ts';

type Rule = keyof typeof rules;

const file = (path: string, text: string): SourceFile => ({ path: `packages/${path}`, text });

/** For each rule, sources that break it, each on its own. */
const broken: Record<Rule, readonly (readonly SourceFile[])[]> = {
  'only main.ts touches the process': [
    [file('service/src/a.ts', 'const port = process.env.PORT;')],
    [file('service/src/store/sqlite/writer.ts', 'process.exit(1);')],
    [file('service/src/cli/a.ts', "import { argv } from 'node:process';")],
  ],
  'nothing is exported as default': [
    [file('service/src/a.ts', 'export default 1;')],
    [file('service/src/a.ts', 'const a = 1;\nexport { a as default };')],
  ],
  'modules do not import each other in a circle': [
    [
      file('service/src/a.ts', "import { b } from './x/b.ts';"),
      file('service/src/x/b.ts', "import {\n  a,\n} from '../a.ts';"),
    ],
    [
      file('service/src/a.ts', "export * from './b.ts';"),
      file('service/src/b.ts', "import { c } from './c.ts';"),
      file('service/src/c.ts', "const a = await import('./a.ts');"),
    ],
    [
      file('service/src/a.ts', "import type { B } from './b.ts';"),
      file('service/src/b.ts', "import { type A, c } from './a.ts';"),
    ],
  ],
  'no two folders import each other': [
    [
      file('service/src/one/a.ts', "import type { B } from '../two/b.ts';"),
      file('service/src/two/c.ts', "import { d } from '../one/d.ts';"),
    ],
  ],
  'no folder has more than 15 files, but lists of one kind': [
    Array.from({ length: 16 }, (_, index) => file(`service/src/many/f${index}.ts`, '')),
  ],
  'no line of SQL is over 140 characters': [
    [file('service/src/a.ts', `const a = sql\`select ${'x, '.repeat(50)} from t\`;`)],
    [file('service/src/a.ts', `  insert into t values (${'1, '.repeat(50)})`)],
    [file('service/src/store/migrations/a.ts', `create table t (${'x text, '.repeat(20)})`)],
    [file('service/src/engine/child/a.ts', `create or replace table t as select ${'x, '.repeat(50)}`)],
  ],
  'the contract imports nothing but itself': [
    [file('contract/src/a.ts', "import { join } from 'node:path';")],
    [file('contract/src/a.ts', "import type { App } from '@inlay/service';")],
    [file('contract/src/a.ts', "import { app } from '../../service/src/app.ts';")],
  ],
  'nothing is called manager, helper, util or common': [
    [file('service/src/store-manager.ts', '')],
    [file('service/src/utils/text.ts', '')],
    [file('service/src/a.ts', 'export class TokenHelper {}')],
    [file('service/src/a.ts', 'export const commonFields = [];')],
  ],
  'stores are imported only where the service is put together': [
    [file('service/src/pipeline/execute.ts', "import { openSqlite } from '../store/sqlite/open.ts';")],
    [file('service/src/http/server.ts', "import type { P } from '../store/postgres/notices.ts';")],
  ],
  'modules memoise only where listed': [
    [file('service/src/a.ts', 'const seen = new Map<string, string>();')],
    [file('query/src/a.ts', 'export const parsed = new WeakMap();')],
    [file('service/src/a.ts', 'const last: { answer?: string } = {};')],
    [file('service/src/a.ts', 'const cache: { answer?: string } = {};\ncache.answer = text;')],
  ],
  'types are nouns, no bare participles': [
    [file('service/src/a.ts', 'export interface Asked {}')],
    [file('query/src/a.ts', 'type Held = string;')],
    [file('embed/src/a.ts', 'export class Watching {}')],
  ],
  'modules hold no state and are not imported for their effects': [
    [file('service/src/a.ts', 'let count = 0;')],
    [file('contract/src/a.ts', 'export let count = 0;')],
    [file('service/src/a.ts', "import './register.ts';")],
  ],
};

const allowed: readonly SourceFile[] = [
  file('service/src/main.ts', "import { openSqlite } from './store/sqlite/open.ts';\nconst port = process.env.PORT;"),
  file(
    'service/src/cli/commands/backup.ts',
    "import { openSqlite } from '../../store/sqlite/open.ts';\nexport const uncommon = 1;",
  ),
  file(
    'service/src/store/sqlite/open.ts',
    "import { a } from '@inlay/contract';\nimport type { M } from '../main.ts';",
  ),
  file('contract/src/index.ts', "export * from './id.ts';\nexport type { J } from './json.ts';"),
];

const names = Object.keys(rules).filter((name): name is Rule => name in rules);

describe.each(names)('%s', (name) => {
  test('in the source as it is', () => {
    expect(rules[name](readSource(join(import.meta.dirname, '..')))).toEqual([]);
  });

  test('and each planted violation is caught', () => {
    for (const files of broken[name]) expect(rules[name](files), JSON.stringify(files)).not.toEqual([]);
  });

  test('and what is in order passes', () => {
    expect(rules[name](allowed)).toEqual([]);
  });
});

test('folders of the service import what the map says, and it names each of them', () => {
  const root = join(import.meta.dirname, '..');
  const map = readFileSync(join(root, 'docs/map.md'), 'utf8');
  const files = readSource(root);
  expect(besideMap(files, map)).toEqual([]);
  for (const folder of mayImportOf(map).keys())
    expect(
      files.some(({ path }) => path.startsWith(`packages/service/src/${folder}/`)),
      folder,
    ).toBe(true);
  expect(besideMap([file('service/src/store/a.ts', "import { x } from '../http/x.ts';")], map)).toEqual([
    'store imports http',
  ]);
});

test('the whole source is looked at', () => {
  expect(readSource(join(import.meta.dirname, '..')).map(({ path }) => path)).toEqual(
    expect.arrayContaining(['test/architecture.test.ts', 'packages/contract/src/index.ts', 'vitest.config.ts']),
  );
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSource, rules, type SourceFile } from './support/architecture.ts';

type Rule = keyof typeof rules;

const file = (path: string, text: string): SourceFile => ({ path: `packages/${path}`, text });

/** For each rule, sources that break it, each on its own. */
const broken: Record<Rule, readonly (readonly SourceFile[])[]> = {
  'no file is over 500 lines': [[file('service/src/a.ts', 'x;\n'.repeat(501))]],
  'only main.ts touches the process': [
    [file('service/src/a.ts', 'const port = process.env.PORT;')],
    [file('service/src/store/sqlite-writer.ts', 'process.exit(1);')],
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
    [file('service/src/pipeline/execute.ts', "import { openSqlite } from '../store/sqlite.ts';")],
    [file('service/src/http/server.ts', "import type { P } from '../store/postgres-notices.ts';")],
  ],
  'modules hold no state and are not imported for their effects': [
    [file('service/src/a.ts', 'let count = 0;')],
    [file('contract/src/a.ts', 'export let count = 0;')],
    [file('service/src/a.ts', "import './register.ts';")],
  ],
};

const allowed: readonly SourceFile[] = [
  file('service/src/main.ts', "import { openSqlite } from './store/sqlite.ts';\nconst port = process.env.PORT;"),
  file('service/src/cli/backup.ts', "import { openSqlite } from '../store/sqlite.ts';\nexport const uncommon = 1;"),
  file('service/src/store/sqlite.ts', "import { a } from '@inlay/contract';\nimport type { M } from '../main.ts';"),
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

test('the whole source is looked at', () => {
  expect(readSource(join(import.meta.dirname, '..')).map(({ path }) => path)).toEqual(
    expect.arrayContaining(['test/architecture.test.ts', 'packages/contract/src/index.ts', 'vitest.config.ts']),
  );
});

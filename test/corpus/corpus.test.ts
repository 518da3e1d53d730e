import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emit, unsupportedBy } from '@inlay/query';
import { answerOf, planAsked, settled } from './ask.ts';
import type { Asked, RowFilters } from './asked.ts';
import { dialects, engineNames, missingEngine, openEngine, type Engine, type EngineName } from './engines.ts';
import { evaluate } from './evaluate.ts';
import { finishedIn, openFinish } from './finished.ts';
import { formulas } from './formulas.ts';
import { worldTables } from './world.ts';

/** One query with the statement of each dialect (or why it is left to DuckDB) and the rows it answers. */
interface Entry {
  readonly name: string;
  readonly asked: Partial<Asked>;
  readonly rowFilters?: RowFilters;
  readonly sql: Readonly<Record<EngineName, string>>;
  readonly rows: readonly (readonly unknown[])[];
}

const folder = join(import.meta.dirname, 'queries');
const read = (file: string): readonly Entry[] => {
  const found: readonly Entry[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return found;
};
const files = readdirSync(folder).toSorted();
const whole = (asked: Partial<Asked>): Asked => ({
  dimensions: [],
  measures: [],
  where: [],
  having: [],
  order: [],
  options: {},
  ...asked,
});

const statementOf = ({ asked, rowFilters }: Entry, name: EngineName): string => {
  const planned = planAsked(whole(asked), rowFilters);
  const why = unsupportedBy(planned, dialects[name]);
  if (why !== null) return `left to DuckDB: ${why}`;
  return emit(planned, dialects[name], (id) => ({ kind: 'table', path: [id] }), 'rows').sql;
};

/** `INLAY_CORPUS_UPDATE=1` writes the statements again, to be reviewed; rows never are. */
if (process.env['INLAY_CORPUS_UPDATE'] === '1') {
  for (const file of files) {
    const entries = read(file).map((entry) => ({
      ...entry,
      sql: Object.fromEntries(engineNames.map((name) => [name, statementOf(entry, name)])),
    }));
    const { code } = await format(file, JSON.stringify(entries), { printWidth: 120 });
    writeFileSync(join(folder, file), code);
  }
}

const entries = files.flatMap((file) => read(file).map((entry) => ({ ...entry, file: file.replace('.json', '') })));

test('the corpus has at least 150 queries, each named once', () => {
  const names = entries.map(({ file, name }) => `${file}: ${name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(150);
});

test.each(entries)('$file: $name, as a plain evaluator answers', ({ asked, rowFilters = {}, rows }) => {
  expect(settled(evaluate(whole(asked), rowFilters, formulas))).toEqual(settled(rows));
});

test.each(engineNames)('%s answers at least 95 %% of the corpus itself', (name) => {
  const own = entries.filter(
    (entry) => unsupportedBy(planAsked(whole(entry.asked), entry.rowFilters), dialects[name]) === null,
  );
  const share = own.length / entries.length;
  process.stdout.write(`${name} answers ${(share * 100).toFixed(1)} % of the corpus itself\n`);
  expect(share).toBeGreaterThanOrEqual(0.95);
});

for (const name of engineNames)
  describe.skipIf(missingEngine(name) !== null)(`the corpus on ${name}`, () => {
    let engine: Engine;
    let finish: Engine;
    beforeAll(async () => {
      finish = await openFinish();
      engine = await openEngine(name);
      for (const table of worldTables) await engine.create(table);
    });
    afterAll(async () => {
      await engine.close();
      await finish.close();
    });

    test.each(entries)('$file: $name', async (entry) => {
      expect(statementOf(entry, name)).toBe(entry.sql[name]);
      const planned = planAsked(whole(entry.asked), entry.rowFilters);
      const answer = await answerOf(engine, planned);
      const rows = typeof answer === 'string' ? await finishedIn(engine, finish, planned) : answer;
      expect(settled(rows)).toEqual(settled(entry.rows));
    });
  });

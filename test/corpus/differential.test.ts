import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emit } from '@inlay/query';
import { runOf } from '../support/arbitrary.ts';
import { counted } from '../support/counts.ts';
import { answerOf, planAsked, settled } from './ask.ts';
import { engineNames, missingEngine, openEngine, type Engine } from './engines.ts';
import { evaluate } from './evaluate.ts';
import { finishedIn, openFinish } from './finished.ts';
import { formulas } from './formulas.ts';
import { generated } from './generate.ts';
import { worldTables } from './world.ts';

const names = engineNames.filter((name) => missingEngine(name) === null);

describe('every database answers a query alike', () => {
  const engines: Engine[] = [];
  let finish: Engine;
  beforeAll(async () => {
    finish = await openFinish();
    for (const name of names) {
      const engine = await openEngine(name);
      engines.push(engine);
      for (const table of worldTables) await engine.create(table);
    }
  });
  afterAll(async () => {
    await finish.close();
    for (const engine of engines) await engine.close();
  });

  test('and as a plain evaluator does, whatever is asked', { timeout: 600_000 }, async () => {
    const answered = { all: 0 };
    await fc.assert(
      fc.asyncProperty(generated, async ({ asked, rowFilters }) => {
        const planned = planAsked(asked, rowFilters);
        const expected = settled(evaluate(asked, rowFilters, formulas));
        for (const engine of engines) {
          const own = await answerOf(engine, planned);
          const left = typeof own === 'string';
          if (left) expect(engine.dialect.name, own).not.toBe('duckdb');
          // Now and then a query that the database could answer is finished in DuckDB all the same.
          const elsewhere = left || (answered.all % 5 === 0 && engine.dialect.name !== 'duckdb');
          const rows = elsewhere ? await finishedIn(engine, finish, planned) : own;
          answered.all += 1;
          const { dialect } = elsewhere ? finish : engine;
          const { sql } = emit(planned, dialect, (id) => ({ kind: 'table', path: [id] }), 'rows');
          expect(settled(rows), `${engine.dialect.name}: ${sql}`).toEqual(expected);
        }
      }),
      runOf('differential', counted(200, 5000)),
    );
    expect(answered.all).toBeGreaterThan(counted(200, 5000));
  });
});

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

for (const name of engineNames)
  describe.skipIf(missingEngine(name) !== null)(`generated queries on ${name}`, () => {
    const runs = name === 'trino' ? counted(50, 1500) : counted(200, 15_000);
    let engine: Engine;
    let finish: Engine;
    beforeAll(async () => {
      finish = await openFinish();
      engine = await openEngine(name);
      for (const table of worldTables) await engine.create(table);
    });
    afterAll(async () => {
      await finish.close();
      await engine.close();
    });

    test('are answered as a plain evaluator answers them', { timeout: 7_200_000 }, async () => {
      const answered = { all: 0, itself: 0 };
      await fc.assert(
        fc.asyncProperty(generated, async ({ asked, rowFilters }) => {
          const planned = planAsked(asked, rowFilters);
          const expected = settled(evaluate(asked, rowFilters, formulas));
          const own = await answerOf(engine, planned);
          const isLeft = typeof own === 'string';
          if (isLeft) expect(name, own).not.toBe('duckdb');
          // Now and then a query that the database could answer is finished in DuckDB all the same.
          const isElsewhere = isLeft || (answered.all % 5 === 0 && name !== 'duckdb');
          const rows = isElsewhere ? await finishedIn(engine, finish, planned) : own;
          answered.all += 1;
          answered.itself += isLeft ? 0 : 1;
          const { dialect } = isElsewhere ? finish : engine;
          const { sql } = emit(planned, dialect, (id) => ({ kind: 'table', path: [id] }), 'rows');
          expect(settled(rows), `${name}: ${sql}`).toEqual(expected);
        }),
        runOf('differential', runs),
      );
      process.stdout.write(`${name} answers ${answered.itself} of ${answered.all} generated queries itself\n`);
      expect(answered.all).toBeGreaterThanOrEqual(runs);
    });
  });

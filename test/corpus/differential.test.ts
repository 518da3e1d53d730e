import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emit } from '@inlay/query';
import { runOf } from '../support/arbitrary.ts';
import { counted } from '../support/counts.ts';
import { answerOf, planAsked, settled } from './ask.ts';
import { engineNames, missingEngine, openEngine, type Engine } from './engines.ts';
import { evaluate } from './evaluate.ts';
import { formulas } from './formulas.ts';
import { generated } from './generate.ts';
import { worldTables } from './world.ts';

const names = engineNames.filter((name) => missingEngine(name) === null);

describe('every database answers a query alike', () => {
  const engines: Engine[] = [];
  beforeAll(async () => {
    for (const name of names) {
      const engine = await openEngine(name);
      engines.push(engine);
      for (const table of worldTables) await engine.create(table);
    }
  });
  afterAll(async () => {
    for (const engine of engines) await engine.close();
  });

  test('and as a plain evaluator does, whatever is asked', { timeout: 600_000 }, async () => {
    const answered = { all: 0 };
    await fc.assert(
      fc.asyncProperty(generated, async ({ asked, rowFilters }) => {
        const planned = planAsked(asked, rowFilters);
        const expected = settled(evaluate(asked, rowFilters, formulas));
        for (const engine of engines) {
          const rows = await answerOf(engine, planned);
          if (typeof rows === 'string') {
            expect(engine.dialect.name, rows).not.toBe('duckdb');
            continue;
          }
          answered.all += 1;
          const { sql } = emit(planned, engine.dialect, (id) => ({ kind: 'table', path: [id] }), 'rows');
          expect(settled(rows), `${engine.dialect.name}: ${sql}`).toEqual(expected);
        }
      }),
      runOf('differential', counted(300, 5000)),
    );
    expect(answered.all).toBeGreaterThan(counted(300, 5000));
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { never, startTestEngine } from '../support/engine.ts';
import { heavyStatements, hostileStatements, ordinaryQueries } from '../support/hostile-sql.ts';
import type { Outcome } from '../support/run-hostile-sql.ts';
import { canary, runTraced, sqlDeadlineMs, tracing, type Seen } from '../support/traced-sql.ts';

let seen: Seen;

beforeAll(async () => {
  seen = await runTraced(0);
}, 600_000);

const of = (how: Outcome['how']): readonly Outcome[] => seen.outcomes.filter((outcome) => outcome.how === how);

describe('the query of a person', () => {
  it('is refused when it is one of at least 150 hostile ones', () => {
    expect(of('checked').length).toBeGreaterThanOrEqual(150);
    expect(of('checked')).toHaveLength(hostileStatements(seen.told).length);
    expect(of('checked').filter(({ cause }) => cause !== 'forbidden_sql' && cause !== 'sql')).toEqual([]);
    expect(of('checked').filter(({ cause }) => cause === 'sql').length).toBeLessThan(5);
  });

  it('may be any ordinary SELECT over the tables of its source', async () => {
    const engine = startTestEngine();
    const refused = [];
    for (const sql of ordinaryQueries)
      refused.push(await engine.checkSelect(sql, ['t', 'Other Table'], never).then(() => null, String));
    await engine.stop();
    expect(refused.filter((fault) => fault !== null)).toEqual([]);
  });

  it('reaches no file, setting or other tenant even where the check would let it through', () => {
    const answers = of('unchecked').flatMap(({ answer }) => answer ?? []);
    expect(answers.filter((answer) => answer.includes(canary))).toEqual([]);
    expect(of('unchecked').filter(({ cause }) => cause === 'failed')).toEqual([]);
    expect(seen.outside).toEqual(['secret.csv']);
    expect(seen.foreign).toBe(canary);
    expect(seen.heard).toEqual([]);
  });

  it('is ended by its deadline, however much it asks for', () => {
    expect(of('heavy')).toHaveLength(heavyStatements.length);
    // Longer than any machine is late, far shorter than the statements take.
    const hangMs = sqlDeadlineMs + 15_000;
    expect(seen.outcomes.filter(({ ms }) => ms > hangMs)).toEqual([]);
  });

  it('leaves an engine that answers', () => {
    expect(seen.outcomes.filter(({ stillAnswers }) => !stillAnswers)).toEqual([]);
  });

  it.skipIf(!tracing)('opens no file outside the work folder, connects to nothing and starts nothing', () => {
    expect({ opened: seen.opened, connected: seen.connected, started: seen.started }).toEqual({
      opened: [],
      connected: [],
      started: [],
    });
  });
});

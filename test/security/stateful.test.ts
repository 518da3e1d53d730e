import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOf } from '../support/arbitrary.ts';
import { counted } from '../support/counts.ts';
import { Model, modelKinds, type Actor, type ModelRecord } from '../support/model.ts';
import { freshModel, mustSeeExactly, sequences } from '../support/model-commands.ts';
import { startTestService, type TestService, storesToTest } from '../support/service.ts';

const nobody = new Model().add('user', 'A', 'nobody', 'Nobody');

/** A model with another rule: no right comes through a group. */
class WithoutGroups extends Model {
  override right(actor: Actor, record: ModelRecord): number {
    const own = record.given.get(actor.self) ?? 0;
    const inNoGroup = super.right({ ...actor, self: nobody }, record);
    return record.alive && record.place === actor.place ? Math.max(own, inNoGroup) : 0;
  }
}

describe.each(storesToTest)('sequences of calls on %s', (store) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ store, settings: { INLAY_SIGNUP: 'true' } });
  });
  afterAll(() => service?.stop());

  /** Checks that every call answers as the model says, and afterwards everybody sees exactly what it says. */
  const conforms = (calls: { made: number; refused: number }, model: () => Model) =>
    fc.asyncProperty(sequences, async (commands) => {
      const start = await freshModel(service, calls, model());
      await fc.asyncModelRun(() => start, commands);
      for (const actor of start.real.actors) {
        for (const kind of modelKinds) await mustSeeExactly(start.model, start.real, actor, kind);
      }
    });

  it('leave exactly what a plain model says, for everybody of two organizations', { timeout: 3_600_000 }, async () => {
    const calls = { made: 0, refused: 0 };
    const runs = store === 'sqlite' ? counted(12, 2_000) : counted(5, 400);
    const property = conforms(calls, () => new Model());
    await fc.assert(property, runOf(`sequences on ${store}`, runs));
    process.stdout.write(`sequences on ${store}: ${calls.made} calls, ${calls.refused} refused\n`);
    expect(calls.made).toBeGreaterThan(runs * 20);
  });

  it('differ from a model with one other rule, so that they can fail', { timeout: 300_000 }, async () => {
    const property = conforms({ made: 0, refused: 0 }, () => new WithoutGroups());
    const { failed, numRuns } = await fc.check(property, { ...runOf('a wrong model', 300), endOnFailure: true });
    process.stdout.write(`a wrong model was caught by sequence ${numRuns}\n`);
    expect(failed).toBe(true);
  });
});

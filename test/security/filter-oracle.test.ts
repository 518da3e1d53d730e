import { isList, type Json, type JsonObject } from '@inlay/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findable } from '../../packages/service/src/search/read-where.ts';
import { operators } from '../../packages/service/src/search/find.ts';
import { runOf } from '../support/arbitrary.ts';
import { runSeed } from '../support/seed.ts';
import { findOf } from '../support/arbitrary-find.ts';
import { counted } from '../support/counts.ts';
import { startTestService, type Credential, type TestService, storesToTest } from '../support/service.ts';
import { buildWorld, part, rowIds } from '../support/world.ts';
import { after, before, hide, type Hidden } from './hidden.ts';

const guesses = Object.values({ ...before, w: after.word, m: after.mail, s: after.secret });

interface Asked {
  readonly path: string;
  readonly find: JsonObject;
}

/** All of them in the full run; in the short one every this many-th, another one for each field and each run. */
const turnOf = <T>(all: readonly T[], every: number, field: number): readonly T[] =>
  all.filter((_, index) => (index + field + runSeed) % counted(every, 1) === 0);

/** Returns every field in every place a search can name one. */
function everyFind(service: TestService): readonly Asked[] {
  const { registry } = service.app.service;
  return [...registry.paths].flatMap(([path, { resource }]) => {
    const fields = [...Object.keys(resource.fields), 'token_hash', 'secrets', 'organization.vat', 'name.en'];
    const words = [before.word, after.mail, null];
    const finds: JsonObject[] = fields.flatMap((name, field): JsonObject[] => [
      ...turnOf(words, 6, field).map((value): JsonObject => ({ where: Object.fromEntries([[name, value]]) })),
      ...turnOf(Object.keys(operators), 24, field).flatMap((operator) =>
        [before.word].map((value): JsonObject => {
          const operand: Json = /between/iu.test(operator)
            ? ['A', value]
            : /in$/iu.test(operator)
              ? [value]
              : operator === 'isNull'
                ? true
                : value;
          return { where: Object.fromEntries([[name, { [operator]: operand }]]) };
        }),
      ),
      { order: [[name, 'desc']] },
      { order: [name], limit: 1 },
      { attributes: [name] },
      { search: { keyphrase: before.word, match_types: [name] } },
    ]);
    const includes = Object.keys(resource.associations ?? {}).flatMap((model): JsonObject[] => {
      const inner = (where: JsonObject): JsonObject[] => [
        { include: [{ model, where, required: true }] },
        { include: [{ model, where }] },
      ];
      return [
        { include: [{ model, required: true }] },
        { include: [{ model, limit: 1 }] },
        ...inner({ name: before.word }),
        ...inner({ 'name.en': { like: 'Z%' } }),
      ];
    });
    return [...finds, ...includes].map((find) => ({ path, find }));
  });
}

describe.each(storesToTest)('what a search tells on %s', (store) => {
  let service: TestService;
  let hidden: Hidden;

  beforeAll(async () => {
    service = await startTestService({ store, settings: { INLAY_SIGNUP: 'true' } });
    hidden = await hide(await buildWorld(service));
  });
  afterAll(() => service?.stop());

  const said = async ({ path, find }: Asked, by: Credential): Promise<string> => {
    const { status, body } = await service.call(path, { action: 'get', find }, by);
    const shown = JSON.stringify([status, { ...Object(body), request_id: null }]);
    return shown.replaceAll(/"last_used_at":(?:null|"[^"]*")/gu, '');
  };

  /** Answers to all of them before and after everything unreadable is changed; the places where they differ. */
  async function differences(asked: readonly Asked[], observers = hidden.observers): Promise<string[]> {
    const answers = new Map<string, string>();
    const run = async (note: (place: string, answer: string) => void): Promise<void> => {
      for (const [who, by] of observers) {
        // When one's own token was last used is no secret, and changes while the test runs.
        for (const one of asked.filter(({ find }) => !JSON.stringify(find).includes('last_used_at')))
          note(`${who}: ${one.path} ${JSON.stringify(one.find)}`, await said(one, by));
      }
    };
    await hidden.turn(before);
    await run((place, answer) => answers.set(place, answer));
    await hidden.turn(after);
    const different: string[] = [];
    await run((place, answer) => {
      if (answers.get(place) !== answer)
        different.push(`${place}\n  ${answers.get(place)?.slice(0, 300)}\n  ${answer.slice(0, 300)}`);
    });
    return different;
  }

  it(
    'is the same whatever unreadable fields and rows hold, for every field in every place',
    { timeout: 300_000 },
    async () => {
      const every = everyFind(service);
      const share = store === 'sqlite' ? counted(8, 1) : counted(60, 1);
      const asked = every.filter((_, index) => index % share === 0);
      process.stdout.write(
        `filter oracle on ${store}: ${asked.length} finds of ${hidden.observers.length} observers\n`,
      );
      expect((await differences(asked)).slice(0, 10).join('\n')).toBe('');
    },
  );

  it('is the same for finds drawn from the grammar', { timeout: 1_200_000 }, async () => {
    const { registry } = service.app.service;
    const arbitrary = fc
      .constantFrom(...registry.paths.values())
      .chain(({ name, resource }) =>
        findOf({ registry, ids: () => [], guesses, wrong: 2 }, resource).map((find): Asked => ({ path: name, find })),
      );
    const { seed, numRuns } = runOf(
      `random finds on ${store}`,
      store === 'sqlite' ? counted(80, 10_000) : counted(50, 2_000),
    );
    expect((await differences(fc.sample(arbitrary, { seed, numRuns }))).slice(0, 10).join('\n')).toBe('');
  });

  it('sees a difference where there is one to see', async () => {
    const owner = hidden.owner;
    const finds = ['user', 'dataset', 'account'].map((path): Asked => ({ path, find: { order: ['name'] } }));
    expect(await differences(finds, [['an owner', owner]])).toHaveLength(3);
    const [, observer] = hidden.observers[0] ?? ['', owner];
    const readable = await service.call('dataset', { find: { where: { 'name.en': 'Readable' } } }, observer);
    expect(rowIds(readable)).toHaveLength(1);
  });

  it('is nothing for an empty list, which never means all', async () => {
    const wrong: string[] = [];
    for (const [path, { resource }] of service.app.service.registry.paths) {
      for (const name of findable(resource)) {
        for (const where of [
          { [name]: [] },
          { [name]: { in: [] } },
          { [name]: { $in: [] } },
          { and: [{ [name]: [] }] },
          { or: [{ [name]: [] }] },
        ]) {
          const { status, body } = await service.call(path, { action: 'get', find: { where } }, service.owner);
          const rows = part(body, 'rows');
          const isEmpty = status >= 400 || (part(body, 'count') === 0 && isList(rows) && rows.length === 0);
          if (!isEmpty) wrong.push(`${path} ${JSON.stringify(where)}: ${String(part(body, 'count'))} rows`);
        }
      }
    }
    expect(wrong.join('\n')).toBe('');
  });
});

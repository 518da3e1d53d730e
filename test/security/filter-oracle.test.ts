import { isList, type Json, type JsonObject } from '@inlay/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findable } from '../../packages/service/src/search/read-where.ts';
import { operators } from '../../packages/service/src/search/find.ts';
import { sql, text as fixed } from '../../packages/service/src/store/sql.ts';
import { runOf, runSeed } from '../support/arbitrary.ts';
import { findOf } from '../support/arbitrary-find.ts';
import { counted } from '../support/counts.ts';
import { startTestService, storesToTest, type Credential, type TestService } from '../support/service.ts';
import { buildWorld, part, rowIds, text, type World } from '../support/world.ts';

/** What an observer would like to learn: values that only unreadable places hold, before and after they are changed. */
const before = { word: 'Zebrafinch', mail: 'zebra@people.example', secret: 'zebra-secret-1' } as const;
const after = { word: 'Quagga', mail: 'quagga@people.example', secret: 'quagga-secret-2' } as const;
const guesses = Object.values({ ...before, ...{ w: after.word, m: after.mail, s: after.secret } });

interface Asked {
  readonly path: string;
  readonly find: JsonObject;
}

interface Hidden {
  /** Changes every unreadable value from one set of words to the other, and what hangs on unreadable records. */
  turn(to: typeof before | typeof after): Promise<void>;
  /** Sees everything of organization A. */
  readonly owner: Credential;
  readonly observers: readonly (readonly [string, Credential])[];
}

/** Puts values where none of the observers may look, in both organizations. */
async function hide(world: World): Promise<Hidden> {
  const { service } = world;
  const { founder } = world.organization('A');
  const other = world.organization('B').founder;
  const make = (path: string, by: Credential, properties: object): Promise<string> =>
    world.must(path, { action: 'create', properties }, by).then((made) => text(made, 'id'));
  const change = (path: string, by: Credential, id: string, properties: object): Promise<unknown> =>
    world.must(path, { action: 'update', id, properties }, by);
  const named = (word: string): JsonObject => ({ name: { en: word, fr: `le ${word}` } });

  const readable = await make('dataset', founder, named('Readable'));
  const collection = await make('collection', founder, named('Open'));
  const account = await make('account', founder, { name: 'Shown', provider: 'p', token: before.secret });
  const plugin = await make('plugin', founder, {
    slug: 'shown',
    ...named('Shown'),
    public: true,
    secret: before.secret,
  });
  const north = await make('user', founder, { email: before.mail, name: 'North', suborganization: 'north' });
  const person = await world.person('A');
  for (const [kind, id] of [
    ['dataset', readable],
    ['collection', collection],
    ['account', account],
  ] as const) {
    await world.link('A', kind, id, 'Users', person.id, { flagRead: true });
  }
  const embedded = await make('dataset', founder, named('Embedded'));
  const hiddenColumn = await make('column', founder, {
    securable_id: embedded,
    type: 'numeric',
    source_name: 'h',
    ...named(before.word),
  });
  const shownColumn = await make('column', founder, {
    securable_id: readable,
    type: 'numeric',
    source_name: 's',
    ...named('Shown'),
  });
  const embed = await world.must(
    'authorization',
    {
      action: 'create',
      properties: {
        type: 'embed',
        username: 'x',
        role: 'viewer',
        access: { datasets: [readable, embedded].map((id) => ({ id, rights: 'read' })) },
        hidden_columns: [hiddenColumn],
      },
    },
    founder,
  );
  const secretDataset = await make('dataset', founder, { ...named(before.word), description: { en: before.word } });
  const secretDashboard = await make('dashboard', founder, named(before.word));
  const secretAccount = await make('account', founder, { name: before.word, host: before.word, token: before.secret });
  const secretCollection = await make('collection', founder, named(before.word));
  const sso = await make('ssoconfig', founder, {
    protocol: 'OIDC',
    config: { client_id: before.word, client_secret: before.secret },
  });
  const group = await make('group', founder, { ...named(before.word), suborganization: 'south' });
  const south = await make('user', founder, {
    email: 'south@people.example',
    name: before.word,
    suborganization: 'south',
  });
  const inB = {
    dataset: await make('dataset', other, named(before.word)),
    tag: await make('tag', other, named(before.word)),
    theme: await make('theme', other, named(before.word)),
  };
  const extra: { ids: (readonly [string, Credential, string])[] } = { ids: [] };
  const isTurned = { now: false };

  const turn = async (to: typeof before | typeof after): Promise<void> => {
    const word = named(to.word);
    for (const [path, by, id] of extra.ids) await world.must(path, { action: 'delete', id }, by);
    extra.ids = [];
    // What an observer does see keeps its times: only what is hidden may differ.
    const seen: (readonly [string, string])[] = [
      ['user', north],
      ['account', account],
    ];
    const times = new Map<string, string>();
    for (const [path, id] of seen)
      times.set(id, text(await world.must(path, { action: 'get', id }, founder), 'updated_at'));
    await change('user', founder, north, { email: to.mail });
    await change('account', founder, account, { token: to.secret });
    await change('plugin', founder, plugin, { secret: to.secret });
    for (const [path, id] of seen) {
      const now = text(await world.must(path, { action: 'get', id }, founder), 'updated_at');
      const was = times.get(id) ?? now;
      await rewrite(service, path, id, now, was);
    }
    await change('column', founder, hiddenColumn, word);
    await change('dataset', founder, secretDataset, { ...word, description: { en: to.word } });
    await change('dashboard', founder, secretDashboard, word);
    await change('account', founder, secretAccount, { name: to.word, host: to.word });
    await change('collection', founder, secretCollection, word);
    await change('ssoconfig', founder, sso, { config: { client_id: to.word } });
    await change('group', founder, group, word);
    await change('user', founder, south, { name: to.word });
    for (const [path, id] of Object.entries(inB)) await change(path, other, id, word);
    const link = (action: string, path: string, id: string, role: string, target: string): Promise<unknown> =>
      world.must(
        path,
        {
          action,
          id,
          resource: { role, id: target },
          ...(action === 'associate' && role === 'Users' ? { properties: { flagRead: true } } : {}),
        },
        founder,
      );
    const action = to === after ? 'associate' : 'dissociate';
    if (isTurned.now || to === after) {
      await link(action, 'securable', secretDataset, 'Collections', secretCollection);
      await link(action, 'securable', secretDashboard, 'Datasets', readable);
      await link(action, 'securable', secretDataset, 'Users', world.userId('reader'));
    }
    isTurned.now = to === after;
    if (to === before) return;
    for (const [path, by] of [
      ['dataset', founder],
      ['dashboard', founder],
      ['collection', founder],
      ['tag', other],
      ['theme', other],
      ['dataset', other],
    ] as const) {
      extra.ids.push([path, by, await make(path, by, word)]);
    }
  };
  expect(shownColumn).not.toBe(hiddenColumn);
  return {
    turn,
    owner: founder,
    observers: [
      ['a member', person.login],
      ['an embed token', { key: text(embed, 'id'), token: text(embed, 'token') }],
      ['somebody with no rights', world.credential('member') ?? person.login],
    ],
  };
}

/** Gives a stored record its earlier time back: in its column and in its text. */
async function rewrite(service: TestService, table: string, id: string, now: string, was: string): Promise<void> {
  const statement = sql`update ${fixed(`"${table}"`)} set updated_at = ${was}, record = replace(record, ${now}, ${was}) where id = ${id}`;
  await direct(service, statement.parts, [was, now, was, id]);
}

async function direct(
  { dataDir, databaseUrl }: TestService,
  parts: readonly string[],
  values: readonly string[],
): Promise<void> {
  if (databaseUrl !== undefined) {
    const { default: postgres } = await import('postgres');
    const link = postgres(databaseUrl, { max: 1 });
    await link.unsafe(
      parts.reduce((whole, piece, index) => `${whole}$${index}${piece}`),
      [...values],
    );
    await link.end();
    return;
  }
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(`${dataDir}/store/inlay.db`);
  database.exec('pragma busy_timeout = 5000');
  database.prepare(parts.join('?')).run(...values);
  database.close();
}

/** Every field in every place a search can name one. */
function everyFind(service: TestService): readonly Asked[] {
  const { registry } = service.app.service;
  // The short run asks a third of the operators of each field, another third each time.
  const third = counted(3, 1);
  const asked = Object.keys(operators).filter((_, index) => index % third === runSeed % third);
  return [...registry.paths].flatMap(([path, { resource }]) => {
    const fields = [...Object.keys(resource.fields), 'token_hash', 'secrets', 'organization.vat', 'name.en'];
    const words = [before.word, after.mail, null];
    const finds: JsonObject[] = fields.flatMap((name): JsonObject[] => [
      ...words.map((value): JsonObject => ({ where: Object.fromEntries([[name, value]]) })),
      ...asked.flatMap((operator) =>
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

describe.each([...storesToTest])('what a search tells on %s', (store) => {
  let service: TestService;
  let hidden: Hidden;

  beforeAll(async () => {
    service = await startTestService({ store, settings: { INLAY_SIGNUP: 'true' } });
    hidden = await hide(await buildWorld(service));
  }, 120_000);
  afterAll(() => service?.stop());

  const said = async ({ path, find }: Asked, by: Credential): Promise<string> => {
    const { status, body } = await service.call(path, { action: 'get', find }, by);
    // When one's own token was last used is no secret, and differs from call to call.
    const shown = JSON.stringify([status, { ...Object(body), request_id: null }]);
    return shown.replaceAll(/"last_used_at":(?:null|"[^"]*")/gu, '');
  };

  /** Answers to all of them before and after everything unreadable is changed; the places where they differ. */
  async function differences(asked: readonly Asked[], observers = hidden.observers): Promise<string[]> {
    const answers = new Map<string, string>();
    const run = async (note: (place: string, answer: string) => void): Promise<void> => {
      for (const [who, by] of observers) {
        for (const one of asked) note(`${who}: ${one.path} ${JSON.stringify(one.find)}`, await said(one, by));
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
      const asked = store === 'sqlite' ? every : every.filter((_, index) => index % counted(20, 1) === 0);
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
      store === 'sqlite' ? counted(500, 10_000) : counted(200, 2_000),
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

import type { JsonObject } from '@inlay/contract';
import { sql, text as fixed } from '../../packages/service/src/store/sql.ts';
import type { Credential, TestService } from '../support/service.ts';
import { text, type World } from '../support/world.ts';

/** What an observer would like to learn: values that only unreadable places hold. */
export const before = { word: 'Zebrafinch', mail: 'zebra@people.example', secret: 'zebra-secret-1' } as const;
/** The same places once they are changed. */
export const after = { word: 'Quagga', mail: 'quagga@people.example', secret: 'quagga-secret-2' } as const;

export interface Hidden {
  /** Changes every unreadable value from one set of words to the other, and what hangs on unreadable records. */
  turn(to: typeof before | typeof after): Promise<void>;
  /** Sees everything of organization A. */
  readonly owner: Credential;
  readonly observers: readonly (readonly [string, Credential])[];
}

/** Puts values where none of the observers may look, in both organizations. */
export async function hide(world: World): Promise<Hidden> {
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
    minimum: before.word,
    maximum: before.word,
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
      ['column', shownColumn],
    ];
    const times = new Map<string, string>();
    for (const [path, id] of seen)
      times.set(id, text(await world.must(path, { action: 'get', id }, founder), 'updated_at'));
    await change('user', founder, north, { email: to.mail });
    await change('account', founder, account, { token: to.secret });
    await change('plugin', founder, plugin, { secret: to.secret });
    // What rows hold, which nobody sees by a right to read the dataset.
    await change('column', founder, shownColumn, { minimum: to.word, maximum: to.word });
    // What holds for one reader, which another does not see.
    const filter = { clause: 'where', origin: 'global', securable_id: readable, column_id: shownColumn };
    const filters = [{ ...filter, expression: '? = ?', value: to.word }];
    await world.link('A', 'dataset', readable, 'Users', world.userId('reader'), { flagRead: true, filters });
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

/** Returns a stored record its earlier time back: in its column and in its text. */
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

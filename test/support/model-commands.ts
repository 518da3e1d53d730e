import fc from 'fast-check';
import { isList, isObject } from '@inlay/contract';
import { Model, modelKinds, type Actor, type Expected, type ModelKind, type ModelRecord } from './model.ts';
import type { Answer, Credential, TestService } from './service.ts';
import { part, rowIds, text } from './world.ts';

/** The service under test, with who acts in it. */
export interface Real {
  readonly service: TestService;
  readonly credentials: ReadonlyMap<ModelRecord, Credential>;
  readonly actors: readonly Actor[];
  readonly calls: { made: number; refused: number };
}

type Command = fc.AsyncCommand<Model, Real>;

/** What the service stores under `name`. */
const nameOf = (kind: ModelKind, name: string): object => ({ name: kind === 'user' ? name : { en: name } });
const bodyOf: Readonly<Record<Exclude<ModelKind, 'user'>, object>> = {
  tag: {},
  theme: {},
  group: {},
  collection: {},
  dataset: { type: 'dataset' },
  dashboard: { type: 'dashboard' },
  column: { type: 'numeric', source_name: 'amount' },
};
const creatable = modelKinds.filter((kind) => kind !== 'user');
const flags = ['flagRead', 'flagUse', 'flagModify', 'flagOwner'] as const;

const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)];
const shownName = (body: unknown): unknown => {
  const name = part(body, 'name');
  return isObject(name) ? name['en'] : name;
};

async function call(
  { service, credentials, calls }: Real,
  actor: Actor,
  resource: string,
  body: object,
): Promise<Answer> {
  const answer = await service.call(resource, body, credentials.get(actor.self));
  calls.made += 1;
  if (answer.status !== 200) calls.refused += 1;
  return answer;
}

function mustBe(what: string, answer: Answer, { status, effect }: Expected): void {
  if (answer.status !== status)
    throw new Error(`${what}: expected ${status}, was ${answer.status} ${JSON.stringify(answer.body)}`);
  if (status === 200) effect?.();
}

const says = (actor: Actor, doing: string, record?: ModelRecord): string =>
  `rank ${actor.rank} of ${actor.place} ${doing}${record === undefined ? '' : ` ${record.kind} of ${record.place} ${record.alive ? '' : '(deleted) '}${record.id}`}`;

/** Returns one of the eight people; from 8 on, anyone who has the highest right on the record. */
function actorFor(model: Model, { actors }: Real, who: number, record?: ModelRecord): Actor | undefined {
  if (who < 8 || record === undefined) return pick(actors, who);
  const right = (actor: Actor): number =>
    model.right(actor, record.dataset ?? record) + (actor.place === record.place ? 0.1 : 0);
  return actors.toSorted((one, other) => right(other) - right(one))[0];
}

/** Others of the place of a record more often than strangers. */
const near = (record: ModelRecord | undefined, to: number, others: readonly ModelRecord[]): ModelRecord | undefined =>
  pick(
    to % 4 === 0 ? others : others.filter(({ place, alive }) => alive && place === record?.place),
    Math.floor(to / 4),
  );

const command = (
  label: string,
  run: (model: Model, real: Real, actor: Actor) => Promise<void>,
  who: number,
): Command => ({
  check: () => true,
  run: async (model, real) => {
    const actor = actorFor(model, real, who);
    if (actor !== undefined) await run(model, real, actor);
  },
  toString: () => label,
});

/**
 * Checks that a search shows exactly what the model says the caller sees; nothing of deleted, refused or foreign
 * records.
 */
export async function mustSeeExactly(model: Model, real: Real, actor: Actor, kind: ModelKind): Promise<void> {
  const answer = await call(real, actor, kind, { action: 'get', find: {} });
  const seen = model.records.filter((record) => record.kind === kind && model.sees(actor, record));
  const [shown, expected] = [rowIds(answer).toSorted(), seen.map(({ id }) => id).toSorted()];
  if (
    answer.status !== 200 ||
    JSON.stringify(shown) !== JSON.stringify(expected) ||
    part(answer.body, 'count') !== seen.length
  ) {
    throw new Error(
      `${says(actor, `searches ${kind}`)}: saw ${JSON.stringify(shown)}, expected ${JSON.stringify(expected)}`,
    );
  }
  const rows = part(answer.body, 'rows');
  for (const row of isList(rows) ? rows : []) {
    const record = seen.find(({ id }) => id === part(row, 'id'));
    if (shownName(row) !== record?.name)
      throw new Error(`${kind} ${String(record?.id)} is called ${String(shownName(row))}`);
  }
}

const create = (who: number, kind: (typeof creatable)[number], at: number, name: string): Command =>
  command(
    `create ${kind}`,
    async (model, real, actor) => {
      const dataset =
        kind === 'column'
          ? (pick(
              model.records.filter((one) => one.kind === 'dataset'),
              at,
            ) ?? null)
          : null;
      if (kind === 'column' && dataset === null) return;
      const properties = {
        ...bodyOf[kind],
        ...nameOf(kind, name),
        ...(dataset === null ? {} : { securable_id: dataset.id }),
      };
      const answer = await call(real, actor, kind, { action: 'create', properties });
      mustBe(says(actor, `creates ${kind}`), answer, model.create(actor, kind, dataset));
      if (answer.status !== 200) return;
      const made = model.add(kind, actor.place, text(answer.body, 'id'), name, dataset);
      if (['group', 'collection', 'dataset', 'dashboard'].includes(kind)) made.given.set(actor.self, 4);
    },
    who,
  );

const onRecord = (
  label: string,
  who: number,
  at: number,
  run: (model: Model, real: Real, actor: Actor, record: ModelRecord) => Promise<void>,
): Command =>
  command(
    label,
    async (model, real, actor) => {
      const record = pick(model.records, at);
      const by = actorFor(model, real, who, record) ?? actor;
      if (record !== undefined) await run(model, real, by, record);
    },
    who,
  );

const update = (who: number, at: number, name: string): Command =>
  onRecord('update', who, at, async (model, real, actor, record) => {
    const body = { action: 'update', id: record.id, properties: nameOf(record.kind, name) };
    mustBe(
      says(actor, 'updates', record),
      await call(real, actor, record.kind, body),
      model.update(actor, record, name),
    );
  });

const remove = (who: number, at: number): Command =>
  onRecord('delete', who, at, async (model, real, actor, record) => {
    if (record.kind === 'user') return;
    const answer = await call(real, actor, record.kind, { action: 'delete', id: record.id });
    mustBe(says(actor, 'deletes', record), answer, model.remove(actor, record));
  });

const get = (who: number, at: number): Command =>
  onRecord('get', who, at, async (model, real, actor, record) => {
    const answer = await call(real, actor, record.kind, { action: 'get', id: record.id });
    const status = model.sees(actor, record) ? 200 : 404;
    mustBe(says(actor, 'reads', record), answer, { status });
    if (status === 200 && shownName(answer.body) !== record.name)
      throw new Error(`${record.kind} ${record.id} has another name`);
  });

const search = (who: number, kind: ModelKind): Command =>
  command(`search ${kind}`, (model, real, actor) => mustSeeExactly(model, real, actor, kind), who);

const share = (who: number, at: number, to: number, level: number, on: boolean): Command =>
  command(
    on ? 'share' : 'unshare',
    async (model, real) => {
      const record = pick(
        model.records.filter(({ kind }) => ['group', 'collection', 'dataset', 'dashboard'].includes(kind)),
        at,
      );
      const subjects = model.records.filter(
        ({ kind }) => kind === (to % 2 === 0 && record?.kind !== 'group' ? 'group' : 'user'),
      );
      const subject = near(record, to, subjects);
      const actor = actorFor(model, real, who, record);
      if (record === undefined || subject === undefined || actor === undefined) return;
      const held = record.kind === 'group' ? (level > 2 ? 4 : 1) : level;
      const flag = record.kind === 'group' && held === 1 ? 'flagMember' : flags[held - 1];
      const resource = { role: subject.kind === 'user' ? 'Users' : 'Groups', id: subject.id };
      const properties = on ? { properties: { [flag ?? 'flagRead']: true } } : {};
      const answer = await call(real, actor, record.kind, {
        action: on ? 'associate' : 'dissociate',
        id: record.id,
        resource,
        ...properties,
      });
      const expected = on ? model.share(actor, record, subject, held) : model.unshare(actor, record, subject);
      mustBe(
        `${says(actor, on ? 'shares' : 'unshares', record)} with ${subject.kind} of ${subject.place}`,
        answer,
        expected,
      );
    },
    who,
  );

const link = (who: number, at: number, to: number, on: boolean): Command =>
  command(
    on ? 'link' : 'unlink',
    async (model, real) => {
      const first = pick(
        model.records.filter(({ kind }) => kind === 'dataset' || kind === 'dashboard'),
        at,
      );
      const kinds = first?.kind === 'dashboard' ? ['collection', 'tag', 'dataset'] : ['collection', 'tag'];
      const target = near(
        first,
        to,
        model.records.filter(({ kind }) => kinds.includes(kind)),
      );
      const actor = actorFor(model, real, who, first);
      if (first === undefined || target === undefined || actor === undefined) return;
      const role = target.kind === 'collection' ? 'Collections' : target.kind === 'tag' ? 'Tags' : 'Datasets';
      const body = { action: on ? 'associate' : 'dissociate', id: first.id, resource: { role, id: target.id } };
      const answer = await call(real, actor, first.kind, body);
      mustBe(
        `${says(actor, on ? 'links' : 'unlinks', first)} with ${target.kind} of ${target.place}`,
        answer,
        model.link(actor, first, target, on),
      );
    },
    who,
  );

const who = fc.nat(15);
const at = fc.nat(240);
const name = fc.integer({ min: 1, max: 1_000_000 }).map((number) => `Name ${number}`);

const kindsWithRights = ['dataset', 'dashboard', 'collection', 'group'] as const;

/** Sequences of twenty to fifty calls. */
export const sequences: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    fc.tuple(who, fc.constantFrom(...creatable), at, name).map((given) => create(...given)),
    fc.tuple(who, fc.constantFrom(...kindsWithRights), at, name).map((given) => create(...given)),
    fc.tuple(who, at, name).map((given) => update(...given)),
    fc.tuple(who, at).map((given) => remove(...given)),
    fc.tuple(who, at).map((given) => get(...given)),
    fc.tuple(who, fc.constantFrom(...modelKinds)).map((given) => search(...given)),
    fc
      .tuple(who, at, at, fc.integer({ min: 1, max: 4 }))
      .map(([by, one, to, level]) => share(by, one, to, level, true)),
    fc
      .tuple(who, at, at, fc.integer({ min: 1, max: 4 }))
      .map(([by, one, to, level]) => share(by, one, to, level, true)),
    fc.tuple(who, at, at).map(([by, one, to]) => share(by, one, to, 1, false)),
    fc.tuple(who, at, at).map(([by, one, to]) => link(by, one, to, true)),
    fc.tuple(who, at, at).map(([by, one, to]) => link(by, one, to, false)),
  ),
  { minLength: 20, maxLength: 50, size: 'max' },
);

const serial = { next: 0 };

/** Two new organizations with an owner, an admin, an editor and a member each, all of which the model is told. */
export async function freshModel(
  service: TestService,
  calls: Real['calls'],
  model: Model = new Model(),
): Promise<{ model: Model; real: Real }> {
  const credentials = new Map<ModelRecord, Credential>();
  const actors: Actor[] = [];
  const must = async (resource: string, body: object, by?: Credential): Promise<unknown> => {
    const answer = await service.call(resource, body, by);
    if (answer.status !== 200) throw new Error(`${resource} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  for (const place of ['A', 'B'] as const) {
    let founder: Credential | undefined;
    let organization = '';
    for (const rank of [3, 4, 2, 1]) {
      serial.next += 1;
      const properties = { email: `p${serial.next}@model.example`, name: `Person ${serial.next}` };
      const made = await must('user', { action: 'create', properties }, founder);
      organization = text(made, 'organization_id');
      const self = model.add('user', place, text(made, 'id'), properties.name);
      credentials.set(self, { key: text(made, 'key'), token: text(made, 'token') });
      founder ??= credentials.get(self);
      const flag = rank === 4 ? 'flagAdmin' : rank === 2 ? 'flagEditor' : undefined;
      const body = { action: 'associate', id: organization, resource: { role: 'Users', id: self.id } };
      if (flag !== undefined) await must('organization', { ...body, properties: { [flag]: true } }, founder);
      actors.push({ place, rank, self });
    }
  }
  const real: Real = { service, credentials, actors, calls };
  // Something of every kind to begin with, made by the admin and the editor of each.
  const made = [1, 2, 5, 6].flatMap((by) => creatable.map((kind) => create(by, kind, by, `First ${kind}`)));
  await fc.asyncModelRun(() => ({ model, real }), made);
  return { model, real };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { isList, isObject, type JsonObject } from '@inlay/contract';
import { creation, inSeconds, resourceOf, type Kind } from '../api/matrix/bodies.ts';
import type { Answer, Credential, TestService } from './service.ts';

/** Organizations A and B. Everybody belongs to A, but for the owner of B. */
export type Place = 'A' | 'B';

const people = [
  'member',
  'editor',
  'owner',
  'admin',
  'reader',
  'user',
  'modifier',
  'entityOwner',
  'throughGroup',
  'throughCollection',
  'ownerOfB',
] as const;
/** A person with a login; the first four and the last are named after their organization role. */
export type Person = (typeof people)[number];
export type Actor = Person | 'anonymous' | 'expired' | 'revoked' | 'embedViewer' | 'embedDesigner';

export const placeOf = (actor: Actor): Place => (actor === 'ownerOfB' ? 'B' : 'A');
export const otherPlace = (place: Place): Place => (place === 'A' ? 'B' : 'A');

const organizationFlags: Partial<Record<Person, object>> = {
  member: { flagMember: true },
  editor: { flagEditor: true },
  owner: { flagOwner: true },
  admin: { flagAdmin: true },
  ownerOfB: { flagOwner: true },
};
const rights: Partial<Record<Person, object>> = {
  reader: { flagRead: true },
  user: { flagUse: true },
  modifier: { flagModify: true },
  entityOwner: { flagOwner: true },
};

/** Returns a member of an answer's body, or of an object inside it. */
export const part = (body: unknown, name: string): unknown => (isObject(body) ? body[name] : undefined);

/** Returns the text member of a body; raises an error when it is something else. */
export function text(body: unknown, name: string): string {
  const value = part(body, name);
  if (typeof value !== 'string') throw new Error(`no text in ${name}: ${JSON.stringify(body)}`);
  return value;
}

/** Returns the dataset in the answer to pushed or uploaded rows, with the warnings that stand next to it. */
export function datasetIn(answer: unknown): JsonObject & { readonly id: string } {
  const { count, rows, ...beside } = isObject(answer) ? answer : {};
  const dataset: unknown = isList(rows ?? null) ? Object(rows)[0] : null;
  if (count !== 1 || !isObject(dataset)) throw new Error(`no dataset was answered: ${JSON.stringify(answer)}`);
  return { ...dataset, ...beside, id: text(dataset, 'id') };
}

/** Returns the ids of the rows of a search answer. */
export function rowIds(answer: Answer): readonly string[] {
  const rows = part(answer.body, 'rows');
  return isList(rows) ? rows.map((row) => text(row, 'id')) : [];
}

interface Organization {
  readonly id: string;
  /** The api key of the person who made it: an Organization Owner, and the maker of all shared records. */
  readonly founder: Credential;
}

/** Two organizations, one person of each role, and records with and without rights on them; made through the API. */
export class World {
  readonly service: TestService;
  readonly #organizations = new Map<Place, Organization>();
  readonly #credentials = new Map<Actor, Credential>();
  readonly #userIds = new Map<Person, string>();
  readonly #records = new Map<string, Promise<string>>();

  constructor(service: TestService) {
    this.service = service;
  }

  /** Calls the API; the call must succeed; returns the answer's body. */
  async must(resource: string, body: object, credential?: Credential): Promise<unknown> {
    const answer = await this.service.call(resource, body, credential);
    if (answer.status === 200) return answer.body;
    throw new Error(`${resource} ${JSON.stringify(body)} answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  organization(place: Place): Organization {
    const found = this.#organizations.get(place);
    if (found === undefined) throw new Error(`organization ${place} is not built`);
    return found;
  }

  /** What the actor signs in with; nothing for the anonymous one. */
  credential(actor: Actor): Credential | undefined {
    if (actor !== 'anonymous' && !this.#credentials.has(actor)) throw new Error(`${actor} is not built`);
    return this.#credentials.get(actor);
  }

  userId(person: Person): string {
    return this.#userIds.get(person) ?? '';
  }

  async create(kind: Kind, properties: object, by: Credential | undefined): Promise<string> {
    return text(await this.must(resourceOf(kind), { action: 'create', properties }, by), 'id');
  }

  /** Associates a record with another, as the founder of the place. */
  async link(place: Place, kind: Kind, id: string, role: string, other: string, properties?: object): Promise<void> {
    const body = { action: 'associate', id, resource: { role, id: other }, ...(properties && { properties }) };
    await this.must(resourceOf(kind), body, this.organization(place).founder);
  }

  /** Returns an api token of anyone who signs in with the credential. */
  async apiToken(by: Credential, extra: object = {}): Promise<Credential> {
    const made = await this.must('authorization', { action: 'create', properties: { type: 'api', ...extra } }, by);
    return { key: text(made, 'id'), token: text(made, 'token') };
  }

  /** Returns a new person of the organization: their user id and login. */
  async person(place: Place, flags?: object): Promise<{ readonly id: string; readonly login: Credential }> {
    const properties = await creation('user', () => Promise.resolve(''));
    const made = await this.must('user', { action: 'create', properties }, this.organization(place).founder);
    const id = text(made, 'id');
    if (flags) await this.link(place, 'organization', this.organization(place).id, 'Users', id, flags);
    return { id, login: { key: text(made, 'key'), token: text(made, 'token') } };
  }

  /** Returns the record of a kind that is shared by many cells; in A with the rights of the people named after them. */
  shared(kind: Kind, place: Place): Promise<string> {
    return this.#once(`${place} ${kind}`, () => this.make(kind, place));
  }

  /** Deletes the shared record of the kind, where it still is, and makes another. */
  async renew(kind: Kind, place: Place): Promise<string> {
    const { founder } = this.organization(place);
    await this.service.call(resourceOf(kind), { action: 'delete', id: await this.shared(kind, place) }, founder);
    const made = this.make(kind, place);
    this.#records.set(`${place} ${kind}`, made);
    return made;
  }

  /** Returns a new record of the kind, made by the founder, in A with rights for those who are named after them. */
  async make(kind: Kind, place: Place): Promise<string> {
    const { id: organization, founder } = this.organization(place);
    if (kind === 'organization') return organization;
    if (kind === 'user') return (await this.person(place)).id;
    if (kind === 'airequest') return this.#sent(organization);
    if (kind === 'task') return this.#task(founder);
    if (kind === 'locale' || kind === 'country') return this.#firstFound(kind, {}, founder);
    const reference = (to: Kind): Promise<string> => this.shared(to, place);
    if (kind === 'dashboardversion') return this.#version(await reference('dashboard'), founder);
    const id = await this.create(kind, await creation(kind, reference), founder);
    if (kind === 'plugin') await this.link(place, kind, id, 'Organization', organization);
    if (place === 'A') await this.#grant(kind, id);
    return id;
  }

  /** Returns the record of a kind that the actor made itself, the same one each time; the user is the actor. */
  own(kind: Kind, actor: Actor): Promise<string> {
    return this.#once(`${actor}'s ${kind}`, () => this.makeOwn(kind, actor));
  }

  /** Returns a new record made by the actor itself, on records of its own. */
  async makeOwn(kind: Kind, actor: Actor): Promise<string> {
    const person = people.find((name) => name === actor);
    if (kind === 'user' && person) return this.userId(person);
    if (kind === 'task') return this.#task(this.credential(actor));
    const reference = (to: Kind): Promise<string> => this.own(to, actor);
    if (kind === 'dashboardversion') return this.#version(await reference('dashboard'), this.credential(actor));
    return this.create(kind, await creation(kind, reference), this.credential(actor));
  }

  #once(name: string, make: () => Promise<string>): Promise<string> {
    const known = this.#records.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.#records.set(name, made);
    return made;
  }

  async #firstFound(kind: Kind, where: object, by: Credential | undefined): Promise<string> {
    const answer = await this.service.call(resourceOf(kind), { action: 'get', find: { where, limit: 1 } }, by);
    const [id] = rowIds(answer);
    if (id === undefined) throw new Error(`no ${kind} found: ${JSON.stringify(answer.body)}`);
    return id;
  }

  /** Returns a query that is answered later, once it is over: what runs would change the store at any moment. */
  async #task(by: Credential | undefined): Promise<string> {
    const prefer = { prefer: 'respond-async' };
    const { body } = await this.service.call('data', { action: 'get', find: { dimensions: [] } }, by, prefer);
    const id = text(body, 'id');
    for (;;) {
      const status = text(await this.must('task', { action: 'get', id }, by), 'status');
      if (status !== 'open' && status !== 'inprogress') return id;
      await sleep(20);
    }
  }

  /** What was sent to an AI provider: kept by the service itself, never made over the API. */
  async #sent(organizationId: string): Promise<string> {
    const fields = { address: 'https://ai.example.com', model: 'a-model', body: '{}', bytes: 2 };
    const { store } = this.service.app.service;
    const result = await store.write({ kind: 'airequest', organizationId, fields, budget: 1000 });
    if (result.kind === 'done' && result.id !== null) return result.id;
    throw new Error(`not kept: ${JSON.stringify(result)}`);
  }

  /** Checks that each update of contents stores the previous ones as a version. */
  async #version(dashboard: string, by: Credential | undefined): Promise<string> {
    const found = await this.must('securable', { action: 'get', find: { where: { id: dashboard } } }, by);
    const rows = part(found, 'rows');
    const contents = part(isList(rows) ? rows[0] : undefined, 'contents');
    const changed = { ...(isObject(contents) ? contents : {}), syncScreenModes: false };
    await this.must('securable', { action: 'update', id: dashboard, properties: { contents: changed } }, by);
    return this.#firstFound('dashboardversion', { securable_id: dashboard }, by);
  }

  async #grant(kind: Kind, id: string): Promise<void> {
    if (kind === 'group') {
      await this.link('A', kind, id, 'Users', this.userId('throughGroup'), { flagMember: true });
      await this.link('A', kind, id, 'Users', this.userId('entityOwner'), { flagOwner: true });
      return;
    }
    if (kind !== 'dataset' && kind !== 'dashboard' && kind !== 'account' && kind !== 'collection') return;
    for (const person of people) {
      if (rights[person]) await this.link('A', kind, id, 'Users', this.userId(person), rights[person]);
    }
    await this.link('A', kind, id, 'Groups', await this.shared('group', 'A'), { flagModify: true });
    if (kind !== 'dataset' && kind !== 'dashboard') return;
    await this.link('A', kind, id, 'Collections', await this.#once('the holding collection', () => this.#holder()));
  }

  async #holder(): Promise<string> {
    const id = await this.create('collection', { name: { en: 'Holder' } }, this.organization('A').founder);
    await this.link('A', 'collection', id, 'Users', this.userId('throughCollection'), { flagUse: true });
    return id;
  }

  /** Returns an embed token of A with rights on its shared dataset and dashboard, and a suborganization of its own. */
  async embedToken(role: string, access: object): Promise<Credential> {
    const properties = {
      type: 'embed',
      username: role,
      name: role,
      email: `${role}@customer.example`,
      suborganization: 'customer',
      role,
      access,
    };
    const made = await this.must('authorization', { action: 'create', properties }, this.organization('A').founder);
    return { key: text(made, 'id'), token: text(made, 'token') };
  }

  async #found(place: Place): Promise<void> {
    const properties = {
      email: `founder-${place}@people.example`,
      name: `Founder of ${place}`,
      password: 'a long way up',
    };
    const made = await this.must('user', { action: 'create', properties });
    const login = { key: text(made, 'key'), token: text(made, 'token') };
    const founder = await this.apiToken(login);
    const id = text(made, 'organization_id');
    this.#organizations.set(place, { id, founder });
    const switchedOn = { action: 'update', id, properties: { flag_experimental_ai: true } };
    await this.must('organization', switchedOn, founder);
  }

  async build(): Promise<void> {
    await this.#found('A');
    await this.#found('B');
    const { founder } = this.organization('A');
    const expiry = inSeconds(2);
    this.#credentials.set('expired', await this.apiToken(founder, { expiry }));
    const revoked = await this.apiToken(founder);
    await this.must('authorization', { action: 'delete', id: revoked.key }, founder);
    this.#credentials.set('revoked', revoked);
    for (const person of people) {
      const { id, login } = await this.person(placeOf(person), organizationFlags[person]);
      const isOwner = person === 'owner' || person === 'admin' || person === 'ownerOfB';
      // Embed tokens are made with an Organization Owner's api token.
      this.#credentials.set(person, isOwner ? await this.apiToken(login) : login);
      this.#userIds.set(person, id);
    }
    const access = async (right: string): Promise<object> => ({
      datasets: [{ id: await this.shared('dataset', 'A'), rights: right }],
      dashboards: [{ id: await this.shared('dashboard', 'A'), rights: right }],
    });
    this.#credentials.set('embedViewer', await this.embedToken('viewer', await access('read')));
    this.#credentials.set('embedDesigner', await this.embedToken('designer', await access('modify')));
    const leftMs = Date.parse(expiry) - Date.now();
    if (leftMs >= 0) await new Promise((resolve) => setTimeout(resolve, leftMs + 20));
  }
}

/** Builds the world on a service that was started with `INLAY_SIGNUP=true`. */
export async function buildWorld(service: TestService): Promise<World> {
  const world = new World(service);
  await world.build();
  return world;
}

import { randomUUID } from 'node:crypto';
import { isList, isObject, type JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counted } from '../support/counts.ts';
import { describeStores, startPair, type Pair } from '../support/load-pair.ts';
import { between, codeOf, done, openClient, textIn, type Client } from '../support/load.ts';
import type { Credential } from '../support/service.ts';

const organizations = counted(3, 100);
const atOnce = 64;
const moves = counted(150, 5_000);

const config = {
  client_id: 'inlay',
  client_secret: 'a secret of the provider',
  issuer: 'https://login.example.com',
  authorization_url: 'https://login.example.com/authorize',
  token_url: 'https://login.example.com/token',
  user_info_url: 'https://login.example.com/me',
};

interface Person {
  readonly id: string;
  readonly organizationId: string;
  readonly credential: Credential;
}

const personOf = (made: JsonObject): Person => ({
  id: textIn(made, 'id'),
  organizationId: textIn(made, 'organization_id'),
  credential: { key: textIn(made, 'key'), token: textIn(made, 'token') },
});

/** Somebody who signs up, and so owns an organization of their own. */
async function signUp(pair: Pair): Promise<Person> {
  const visitor = openClient(pair.services[0].url, undefined);
  const properties = { email: `${randomUUID()}@people.example`, name: 'Founder', password: 'a long way up the hill' };
  const made = personOf(done(await visitor.call('user', { action: 'create', properties })));
  visitor.close();
  return made;
}

async function addPerson(pair: Pair, client: Client): Promise<Person> {
  const made = done(
    await client.call('user', {
      action: 'create',
      properties: { email: `${randomUUID()}@people.example`, name: 'Colleague' },
    }),
  );
  const found = done(await client.call('organization', { action: 'get', find: {} }));
  const [organization] = isList(found['rows']) ? found['rows'] : [];
  const resource = { role: 'Users', id: textIn(made, 'id') };
  const id = isObject(organization) ? organization['id'] : '';
  done(await client.call('organization', { action: 'associate', id, resource, properties: { flagEditor: true } }));
  return personOf(made);
}

describeStores((newStore) => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(await newStore(), { INLAY_SIGNUP: 'true' });
  });
  afterAll(() => pair.stop());

  test(`of ${atOnce} creates of an SSO configuration over two processes one succeeds, the others are told why`, async () => {
    const codes = new Map<string, number>();
    for (let turn = 0; turn < organizations; turn += 1) {
      const founder = await signUp(pair);
      const clients = pair.clients(founder.credential);
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          clients[index % 2 === 0 ? 0 : 1].call('ssoconfig', {
            action: 'create',
            properties: { protocol: 'OIDC', config },
          }),
        ),
      );
      for (const answer of answers) {
        const code = answer.status === 200 ? 'made' : `${answer.status} ${codeOf(answer)}`;
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
      for (const client of clients) client.close();
    }
    expect(Object.fromEntries(codes)).toEqual({
      made: organizations,
      '400 sso_config_exists': organizations * (atOnce - 1),
    });
    const held = await pair.store.rows('select organization_id, count(*) as n from ssoconfig group by organization_id');
    expect(held.map(({ n }) => Number(n))).toEqual(Array.from({ length: organizations }, () => 1));
  }, 1_800_000);

  test('a dashboard is never without an owner while owners come and go over two processes', async () => {
    const [client] = pair.clients();
    const id = textIn(
      done(
        await client.call('securable', { action: 'create', properties: { type: 'dashboard', name: { en: 'Shared' } } }),
      ),
      'id',
    );
    const people = await Promise.all(Array.from({ length: 5 }, () => addPerson(pair, client)));
    for (const person of people) {
      done(
        await client.call('securable', {
          action: 'associate',
          id,
          resource: { role: 'Users', id: person.id },
          properties: { flagOwner: true },
        }),
      );
    }
    const statuses = new Map<string, number>();
    const faults: string[] = [];
    let left = moves;
    const look = async (): Promise<void> => {
      const [row] = await pair.store.rows(
        `select count(*) as owners, sum(case when l.target_id = s.owner_id then 1 else 0 end) as named
          from securable s left join link l on l.first_id = s.id and l.association = 'securable.Users'
          and l.level >= 4 where s.id = '${id}'`,
      );
      if (Number(row?.['owners']) < 1 || Number(row?.['named']) !== 1)
        faults.push(`with ${left} moves left: ${JSON.stringify(row)}`);
    };
    const mover = async (person: Person): Promise<void> => {
      const [first, second] = pair.clients(person.credential);
      while (left > 0) {
        left -= 1;
        const other = { role: 'Users', id: people[between(0, people.length - 1)]?.id ?? '' };
        const body = [
          { action: 'dissociate', id, resource: other },
          { action: 'associate', id, resource: other, properties: { flagOwner: true } },
          { action: 'associate', id, resource: other, properties: { flagRead: true, flagOwner: false } },
          { action: 'associate', id, resource: other, properties: { flagOwner: true } },
        ][between(0, 3)];
        const answer = await (left % 2 === 0 ? first : second).call('securable', body ?? {});
        const code = `${answer.status} ${codeOf(answer)}`.trim();
        statuses.set(code, (statuses.get(code) ?? 0) + 1);
        if (!/^(?:200|400 last_owner|403 forbidden|404 not_found|400 reference_unknown)$/u.test(code))
          faults.push(`${code} ${JSON.stringify(answer.body)}`);
        if (left % 10 === 0) await look();
      }
    };
    await Promise.all([...people, ...people].map(mover));
    await look();
    process.stdout.write(`owners come and go: ${JSON.stringify(Object.fromEntries(statuses))}\n`);
    expect(faults).toEqual([]);
  }, 1_800_000);

  test('two owners deleted at the same moment over two processes do not leave their record without one', async () => {
    const [client, other] = pair.clients();
    const faults: string[] = [];
    for (let turn = 0; turn < counted(20, 300); turn += 1) {
      const people = await Promise.all([addPerson(pair, client), addPerson(pair, client)]);
      const [first, second] = people;
      const own = openClient(pair.services[0].url, first.credential);
      const id = textIn(
        done(
          await own.call('securable', { action: 'create', properties: { type: 'dashboard', name: { en: 'Shared' } } }),
        ),
        'id',
      );
      done(
        await own.call('securable', {
          action: 'associate',
          id,
          resource: { role: 'Users', id: second.id },
          properties: { flagOwner: true },
        }),
      );
      own.close();
      const answers = await Promise.all([
        client.call('user', { action: 'delete', id: first.id }),
        other.call('user', { action: 'delete', id: second.id }),
      ]);
      const told = answers.map((answer) => `${answer.status} ${codeOf(answer)}`.trim()).toSorted();
      const [row] = await pair.store.rows(
        `select count(*) as owners, count(s.id) as named from link l left join securable s on s.id = l.first_id
          and s.owner_id = l.target_id where l.first_id = '${id}' and l.association = 'securable.Users' and l.level >= 4`,
      );
      if (Number(row?.['owners']) !== 1 || Number(row?.['named']) !== 1)
        faults.push(`${told.join(', ')}: ${JSON.stringify(row)}`);
    }
    expect(faults).toEqual([]);
  }, 1_800_000);
});

import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '@inlay/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeStores, startPair, type Pair } from '../support/load-pair.ts';
import { codeOf, done, openClient, textIn, type Client, type Replied } from '../support/load.ts';

describeStores((newStore) => {
  describe('what one instance knew of a caller', () => {
    let pair: Pair;
    let owner: Client;
    beforeAll(async () => {
      pair = await startPair(await newStore());
      [, owner] = pair.clients();
    });
    afterAll(() => pair.stop());

    const dashboard = { type: 'dashboard', name: { en: 'Made by a caller' } };
    const create = (client: Client): Promise<Replied> =>
      client.call('securable', { action: 'create', properties: dashboard });
    const get = (client: Client, id: string): Promise<Replied> => client.call('securable', { action: 'get', id });
    const count = async (): Promise<Json | undefined> =>
      done(await owner.call('securable', { action: 'get', find: { limit: 1 } }))['count'];

    /** Returns an api token of the owner that the first instance has just answered, with a dashboard of theirs. */
    async function known(): Promise<{ caller: Client; key: string; token: string; id: string }> {
      const made = done(await owner.call('authorization', { action: 'create', properties: { type: 'api' } }));
      const [key, token] = [textIn(made, 'id'), textIn(made, 'token')];
      const caller = openClient(pair.services[0].url, { key, token });
      const id = textIn(done(await create(caller)), 'id');
      for (let turn = 0; turn < 3; turn += 1) expect((await get(caller, id)).status).toBe(200);
      expect((await create(caller)).status).toBe(200);
      return { caller, key, token, id };
    }

    test('a token revoked through another is refused at once, whatever it asks', async () => {
      const { caller, key, id } = await known();
      const before = await count();
      expect((await owner.call('authorization', { action: 'delete', id: key })).status).toBe(200);
      const answers = [await get(caller, id), await create(caller), await get(caller, id), await create(caller)];
      expect(answers.map(codeOf)).toEqual(Array.from({ length: 4 }, () => 'credentials_invalid'));
      expect(await count()).toBe(before);
      caller.close();
    });

    test.each([
      ['an update', (id: string) => ({ action: 'update', id, properties: { name: { en: 'Changed too late' } } })],
      ['a link', (id: string, tag: string) => ({ action: 'associate', id, resource: { role: 'Tags', id: tag } })],
      ['a delete', (id: string) => ({ action: 'delete', id })],
    ])('a token revoked through another changes nothing where it first asks for %s', async (_what, asking) => {
      const { caller, key, id } = await known();
      const tag = done(await owner.call('tag', { action: 'create', properties: { name: { en: 'A tag' } } }));
      const seen = { action: 'get', id, find: { include: [{ model: 'Tag' }] } };
      const before = done(await owner.call('securable', seen));
      expect((await owner.call('authorization', { action: 'delete', id: key })).status).toBe(200);
      expect(codeOf(await caller.call('securable', asking(id, textIn(tag, 'id'))))).toBe('credentials_invalid');
      expect(done(await owner.call('securable', seen))).toEqual(before);
      caller.close();
    });

    test('a right taken away through another is gone at once, for reads and for writes', async () => {
      const properties = { email: `${randomUUID()}@people.example`, name: 'Editor' };
      const person = done(await owner.call('user', { action: 'create', properties }));
      const organizationId = textIn(person, 'organization_id');
      const resource = { role: 'Users', id: textIn(person, 'id') };
      const place = (flags: JsonObject): Promise<Replied> =>
        owner.call('organization', { action: 'associate', id: organizationId, resource, properties: flags });
      done(await place({ flagEditor: true }));
      const caller = openClient(pair.services[0].url, { key: textIn(person, 'key'), token: textIn(person, 'token') });
      const id = textIn(done(await create(caller)), 'id');
      for (let turn = 0; turn < 3; turn += 1) expect((await get(caller, id)).status).toBe(200);
      expect((await create(caller)).status).toBe(200);
      const before = await count();
      done(await place({ flagEditor: false }));
      expect([codeOf(await create(caller)), codeOf(await create(caller))]).toEqual(['forbidden', 'forbidden']);
      expect(await count()).toBe(before);
      done(await owner.call('organization', { action: 'dissociate', id: organizationId, resource }));
      expect([(await get(caller, id)).status, (await create(caller)).status]).toEqual([401, 401]);
      expect(await count()).toBe(before);
      caller.close();
    });

    test('a token that was never right is refused where the right one is known', async () => {
      const { caller, key, token, id } = await known();
      const wrong = openClient(pair.services[0].url, { key, token: `${token.slice(0, -4)}AAAA` });
      expect([codeOf(await get(wrong, id)), codeOf(await create(wrong))]).toEqual([
        'credentials_invalid',
        'credentials_invalid',
      ]);
      expect((await get(caller, id)).status).toBe(200);
      for (const client of [caller, wrong]) client.close();
    });

    test('a record deleted through another is gone at once, and one made there is there', async () => {
      const { caller, id } = await known();
      const other = textIn(done(await create(owner)), 'id');
      expect((await get(caller, other)).status).toBe(200);
      expect((await owner.call('securable', { action: 'delete', id })).status).toBe(200);
      expect(codeOf(await get(caller, id))).toBe('not_found');
      caller.close();
    });

    test('many creates at once are each there once, and a get sees each as soon as it is answered', async () => {
      const { caller } = await known();
      const before = Number(await count());
      const clients = Array.from({ length: 24 }, () => openClient(pair.services[0].url, pair.owner));
      const ids = await Promise.all(
        clients.map(async (client) => {
          const made = done(await create(client));
          const id = textIn(made, 'id');
          expect(done(await get(client, id))).toEqual(made);
          return id;
        }),
      );
      expect(new Set(ids).size).toBe(24);
      expect(Number(await count())).toBe(before + 24);
      for (const client of [caller, ...clients]) client.close();
    });
  });
});

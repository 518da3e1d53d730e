import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, done, firstOwner, openClient, textIn, type Client } from '../support/load.ts';
import { havePostgres, startPostgres, type Postgres } from '../support/postgres.ts';
import { startService, type ServiceProcess } from '../support/process.ts';

describe.skipIf(havePostgres() !== undefined)('on PostgreSQL, a write that waits for its record', () => {
  let server: Postgres;
  let service: ServiceProcess;
  let sql: postgres.Sql;
  let owner: Client;
  beforeAll(async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    const first = firstOwner();
    service = await startService({ env: { ...first.settings, INLAY_DATABASE_URL: url } });
    owner = openClient(service.url, first.credential);
    sql = postgres(url, { onnotice: () => undefined });
  });
  afterAll(async () => {
    owner.close();
    await sql.end();
    await service.stop();
    await server.stop();
  });

  it('asks for the right once it has the record: one taken away meanwhile is gone', async () => {
    const person = done(
      await owner.call('user', {
        action: 'create',
        properties: { email: `${randomUUID()}@people.example`, name: 'Ed' },
      }),
    );
    const made = done(await owner.call('securable', { action: 'create', properties: { type: 'dashboard' } }));
    const [id, userId] = [textIn(made, 'id'), textIn(person, 'id')];
    const resource = { role: 'Users', id: userId };
    const grant = { action: 'associate', id, resource, properties: { flagModify: true } };
    done(await owner.call('securable', grant));
    const editor = openClient(service.url, { key: textIn(person, 'key'), token: textIn(person, 'token') });
    const update = (name: string) =>
      editor.call('securable', { action: 'update', id, properties: { name: { en: name } } });
    for (const name of ['One', 'Two', 'Three']) done(await update(name));

    const waiting = await sql.begin(async (held) => {
      await held`select 1 from securable where id = ${id} for update`;
      const asked = update('Too late');
      for (let waits = 0; waits === 0; await sleep(10)) {
        const [row] = await sql`select count(*)::int as n from pg_locks where not granted`;
        waits = Number(row?.['n']);
      }
      // Seeing it is left, changing it is not.
      await held`update link set level = 1 where first_id = ${id} and target_id = ${userId}`;
      return { asked };
    });
    expect(codeOf(await waiting.asked)).toBe('forbidden');
    expect(done(await owner.call('securable', { action: 'get', id }))['name']).toEqual({ en: 'Three' });
    editor.close();
  });
});

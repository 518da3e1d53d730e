import { createHash, randomBytes } from 'node:crypto';
import { isObject, type Json } from '@inlay/contract';
import { sql } from '../../store/sql.ts';
import { StoreConflict } from '../../store/store.ts';
import { readArguments, required } from '../arguments.ts';
import { CommandRefused } from '../faults.ts';
import type { Host } from '../host.ts';
import { emailOf, givenPassword, hashOf, withoutPassword } from '../people.ts';
import { settingsOf } from '../settings.ts';
import { doneOf, withStore } from '../with-store.ts';

const text = { type: 'string' } as const;

/** Creates an organization with its owner and first API token. */
export async function organizationCreate(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(args, { name: text, 'owner-email': text, 'owner-name': text });
  const organizationName = required(values.name, '--name NAME');
  const email = emailOf(required(values['owner-email'], '--owner-email ADDRESS'), '--owner-email');
  const password = givenPassword(host);
  const token = randomBytes(32).toString('base64url');
  const newOrganization = {
    organizationName,
    owner: {
      email,
      name: values['owner-name']?.trim() || 'Owner',
      passwordHash: password === undefined ? null : await hashOf(password),
      level: 3,
    },
    key: null,
    tokenHash: createHash('sha256').update(token).digest('base64url'),
  };
  return withStore(settingsOf(withoutPassword(host)), async (store) => {
    const result = await store.write({ kind: 'organization', first: newOrganization }).catch((error: unknown) => {
      if (!(error instanceof StoreConflict)) throw error;
      throw new CommandRefused(`The e-mail address ${email} is already in use: choose another one.`, { cause: error });
    });
    const key = doneOf(result).id;
    const [createdRow] = await store.rows(sql`select organization_id from "authorization" where id = ${key}`);
    host.out('Organization created. Its key and token are shown only once:');
    host.out(`  organization  ${String(createdRow?.['organization_id'])}`);
    host.out(`  key           ${key}`);
    host.out(`  token         ${token}`);
    return 0;
  });
}

function nameIn(record: unknown): string {
  const content: Json = typeof record === 'string' ? JSON.parse(record) : {};
  const name = isObject(content) ? content['name'] : undefined;
  const texts = isObject(name) ? Object.values(name) : [];
  const firstName = texts.find((text) => typeof text === 'string');
  // Removes terminal control characters, since names are untrusted.
  return typeof firstName === 'string' ? firstName.replaceAll(/\p{C}/gu, '') : '';
}

export async function organizationList(args: readonly string[], host: Host): Promise<number> {
  readArguments(args, {});
  return withStore(settingsOf(host), async (store) => {
    const rows = await store.rows(
      sql`select o.id as id, o.record as record, (select count(*) from link l where l.first_id = o.id
        and l.association = 'organization.Users') as people from organization o order by o.id`,
    );
    for (const { id, record, people } of rows) {
      host.out(`${String(id)}  ${String(people).padStart(6)} ${people === 1 ? 'user ' : 'users'}  ${nameIn(record)}`);
    }
    return 0;
  });
}

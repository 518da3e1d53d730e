import { sql } from '../../store/sql.ts';
import { StoreConflict } from '../../store/store.ts';
import { readArguments, required } from '../arguments.ts';
import { CommandRefused, UsageFault } from '../faults.ts';
import type { Host } from '../host.ts';
import { emailOf, givenPassword, hashOf, makePassword, withoutPassword } from '../people.ts';
import { settingsOf } from '../settings.ts';
import { doneOf, withStore, type ServiceStore } from '../with-store.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = { organization: text, email: text, name: text, owner: flag, editor: flag, admin: flag } as const;
const levels = { editor: 2, owner: 3, admin: 4 } as const;

async function requireOrganization(store: ServiceStore, id: string): Promise<void> {
  const [organization] = await store.rows(sql`select id from organization where id = ${id}`);
  if (organization === undefined) {
    throw new CommandRefused(`There is no organization ${id}; "inlay organization list" shows all organizations.`);
  }
}

export async function userCreate(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(args, options);
  const organizationId = required(values.organization, '--organization ID');
  const email = emailOf(required(values.email, '--email ADDRESS'), '--email');
  const roles = (['editor', 'owner', 'admin'] as const).filter((role) => values[role] === true);
  if (roles.length > 1) throw new UsageFault('only one of --editor, --owner and --admin can be given');
  const [role] = roles;
  const fromEnvironment = givenPassword(host);
  const password = fromEnvironment ?? makePassword();
  const person = {
    email,
    name: values.name?.trim() || (email.split('@')[0] ?? email),
    passwordHash: await hashOf(password),
    level: role === undefined ? 1 : levels[role],
  };
  return withStore(settingsOf(withoutPassword(host)), async (store) => {
    await requireOrganization(store, organizationId);
    const result = await store.write({ kind: 'person', organizationId, person }).catch((error: unknown) => {
      if (!(error instanceof StoreConflict)) throw error;
      throw new CommandRefused(`The e-mail address ${email} is already in use: choose another one.`, { cause: error });
    });
    host.out(`User created as ${role ?? 'member'}:`);
    host.out(`  id        ${doneOf(result).id}`);
    host.out(`  email     ${email}`);
    if (fromEnvironment === undefined) host.out(`  password  ${password}  (shown only once)`);
    return 0;
  });
}

interface Member {
  readonly id: string;
  readonly organizationId: string;
}

async function memberOf(store: ServiceStore, idOrEmail: string): Promise<Member> {
  const [person] = await store.rows(
    sql`select id, organization_id from "user" where id = ${idOrEmail.toLowerCase()} or email = ${idOrEmail.toLowerCase()}`,
  );
  if (person === undefined) throw new CommandRefused(`There is no user ${idOrEmail}: use an e-mail address or an id.`);
  return { id: String(person['id']), organizationId: String(person['organization_id']) };
}

/** Transfers everything that a person owns to another person, and deletes the previous owner. */
export async function userTransfer(args: readonly string[], host: Host): Promise<number> {
  const { values, words } = readArguments(args, { keep: flag }, ['FROM', 'TO']);
  const keepsUser = values.keep === true;
  const [fromName = '', toName = ''] = words;
  return withStore(settingsOf(host), async (store) => {
    const [from, to] = [await memberOf(store, fromName), await memberOf(store, toName)];
    if (from.id === to.id) throw new CommandRefused('FROM and TO are the same user.');
    if (from.organizationId !== to.organizationId)
      throw new CommandRefused('FROM and TO belong to different organizations.');
    const { count } = doneOf(await store.write({ kind: 'transfer', fromId: from.id, toId: to.id, keepsUser }));
    host.out(`${toName} now owns ${count} ${count === 1 ? 'record' : 'records'} of ${fromName}.`);
    if (!keepsUser) host.out(`${fromName} is deleted.`);
    return 0;
  });
}

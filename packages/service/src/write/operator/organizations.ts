import { timestamp } from '@inlay/contract';
import { done, type WriteResult } from '../../commands/command.ts';
import type {
  BootstrapCommand,
  NewOrganization,
  NewUser,
  OrganizationCommands,
  TransferCommand,
} from '../../commands/organization.ts';
import { Problem } from '../../problems/problem.ts';
import { listCountries } from '../../resources/data/countries.ts';
import { listLocales } from '../../resources/data/locales.ts';
import { handOver } from '../../resources/parts/user/hand-over.ts';
import { codeId } from '../../store/code-id.ts';
import { sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { load, beginWrite, workOf, type WriteEnvironment } from '../context.ts';
import type { Performers } from '../performers.ts';
import { remove } from '../remove.ts';

async function makePerson(
  environment: WriteEnvironment,
  transaction: Transaction,
  organizationId: string,
  person: NewUser,
): Promise<string> {
  const context = beginWrite(environment, transaction, null);
  const work = workOf(context);
  const id = work.id();
  const fields = { id, email: person.email.toLowerCase(), name: person.name, organization_id: organizationId };
  await work.insert('user', fields, { password_hash: person.passwordHash });
  await work.link(organizationId, 'organization.Users', id, person.level);
  return id;
}

async function makeOrganization(
  environment: WriteEnvironment,
  transaction: Transaction,
  first: NewOrganization,
): Promise<string> {
  const work = workOf(beginWrite(environment, transaction, null));
  const organizationId = work.id();
  await work.insert('organization', { id: organizationId, name: { en: first.organizationName } });
  const ownerId = await makePerson(environment, transaction, organizationId, first.owner);
  const key = first.key ?? work.id();
  const fields = { id: key, type: 'api', name: 'First key', user_id: ownerId, organization_id: organizationId };
  await work.insert('authorization', fields, { token_hash: first.tokenHash });
  return key;
}

/** Creates locales and countries, which every logged-in caller may read. */
async function makeCodes(environment: WriteEnvironment, transaction: Transaction): Promise<void> {
  const work = workOf(beginWrite(environment, transaction, null));
  for (const { code, names } of listLocales()) await work.insert('locale', { id: codeId(code), code, name: names });
  for (const { code, names } of listCountries()) await work.insert('country', { id: codeId(code), code, name: names });
}

async function bootstrap(
  environment: WriteEnvironment,
  transaction: Transaction,
  { first }: BootstrapCommand,
): Promise<WriteResult> {
  // The setting serves as a lock. If several instances start on an empty store, only one creates the first
  // organization.
  const made = await transaction.run(
    sql`insert into setting (name, value) values ('bootstrapped', ${timestamp(environment.now())}) on conflict (name) do nothing`,
  );
  if (made === 0) return done(0);
  await makeCodes(environment, transaction);
  return done(1, await makeOrganization(environment, transaction, first));
}

async function transfer(
  environment: WriteEnvironment,
  transaction: Transaction,
  { fromId, toId, keepsUser }: TransferCommand,
): Promise<WriteResult> {
  const context = beginWrite(environment, transaction, null);
  const count = await handOver(workOf(context), fromId, toId, timestamp(environment.now()));
  if (keepsUser) return done(count);
  const users = environment.registry.resource('user');
  const stored = await load(context, users, fromId);
  if (stored === null) throw new Problem('not_found');
  await remove(context, users, stored);
  return done(count);
}

/** Handlers of the operator's commands about organizations and users. They raise Problem. */
export const organizationPerformers: Performers<keyof OrganizationCommands> = {
  bootstrap,
  transfer,
  organization: async (environment, transaction, { first }) =>
    done(1, await makeOrganization(environment, transaction, first)),
  person: async (environment, transaction, { organizationId, person }) =>
    done(1, await makePerson(environment, transaction, organizationId, person)),
};

import { isObject, timestamp, type Json, type JsonObject } from '@inlay/contract';
import { sweepBatch, type Command, type First, type Person, type WriteResult } from '../../commands/command.ts';
import { Problem } from '../../problems/problem.ts';
import { codeId } from '../../store/code-id.ts';
import { listCountries } from '../../resources/data/countries.ts';
import { handOver } from '../../resources/parts/user/hand-over.ts';
import { listLocales } from '../../resources/data/locales.ts';
import { currentKeySetting, currentSecretKey } from '../../store/secrets/sealed-keys.ts';
import { SecretTampered } from '../../store/secrets/secrets.ts';
import { list, name, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { sweepDrafts } from './drafts.ts';
import { forgetRequests, noteRequest } from './airequest.ts';
import { keepAnswer } from './keep-answer.ts';
import { keepElements } from './elements.ts';
import { changeLease } from './lease.ts';
import { repair } from './repair.ts';
import { openShare } from './open-share.ts';
import { load, performing, workOf, type WriteEnvironment } from '../context.ts';
import { remove } from '../remove.ts';
import type { Row } from '../seals.ts';

const done = (count: number, id: string | null = null): WriteResult => ({ kind: 'done', count, id });

async function makePerson(
  environment: WriteEnvironment,
  transaction: Transaction,
  organizationId: string,
  person: Person,
): Promise<string> {
  const context = performing(environment, transaction, null);
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
  first: First,
): Promise<string> {
  const work = workOf(performing(environment, transaction, null));
  const organizationId = work.id();
  await work.insert('organization', { id: organizationId, name: { en: first.organizationName } });
  const ownerId = await makePerson(environment, transaction, organizationId, first.owner);
  const key = first.key ?? work.id();
  const fields = { id: key, type: 'api', name: 'First key', user_id: ownerId, organization_id: organizationId };
  await work.insert('authorization', fields, { token_hash: first.tokenHash });
  return key;
}

/** Lists of our own that anybody logged in may read. */
async function makeCodes(environment: WriteEnvironment, transaction: Transaction): Promise<void> {
  const work = workOf(performing(environment, transaction, null));
  for (const { code, names } of listLocales()) await work.insert('locale', { id: codeId(code), code, name: names });
  for (const { code, names } of listCountries()) await work.insert('country', { id: codeId(code), code, name: names });
}

async function bootstrap(environment: WriteEnvironment, transaction: Transaction, first: First): Promise<WriteResult> {
  // The setting is the lock: of several instances on one empty store, one makes the first organization.
  const made = await transaction.run(
    sql`insert into setting (name, value) values ('bootstrapped', ${timestamp(environment.now())}) on conflict (name) do nothing`,
  );
  if (made === 0) return done(0);
  await makeCodes(environment, transaction);
  return done(1, await makeOrganization(environment, transaction, first));
}

/** Makes one person owner of all that another owns, and deletes the other unless they are to stay. */
async function transfer(
  environment: WriteEnvironment,
  transaction: Transaction,
  { fromId, toId, keepsUser }: Command & { kind: 'transfer' },
): Promise<WriteResult> {
  const context = performing(environment, transaction, null);
  const count = await handOver(workOf(context), fromId, toId, timestamp(environment.now()));
  if (keepsUser) return done(count);
  const users = environment.registry.resource('user');
  const stored = await load(context, users, fromId);
  if (stored === null) throw new Problem('not_found');
  await remove(context, users, stored);
  return done(count);
}

async function touch(transaction: Transaction, used: (Command & { kind: 'touch' })['used']): Promise<WriteResult> {
  // In one order, so that two instances never wait for each other.
  for (const { id, at } of used.toSorted((left, right) => (left.id < right.id ? -1 : 1))) {
    const rows = await transaction.rows(
      sql`select record from "authorization" where id = ${id}${transaction.dialect.forUpdate}`,
    );
    const stored = rows[0]?.['record'];
    if (typeof stored !== 'string') continue;
    const record: Json = JSON.parse(stored);
    if (!isObject(record)) continue;
    const changed = JSON.stringify({ ...record, last_used_at: at });
    await transaction.run(sql`update "authorization" set last_used_at = ${at}, record = ${changed} where id = ${id}`);
  }
  return done(used.length);
}

const sealedOf = (stored: unknown): Readonly<Record<string, string>> => {
  const parsed: Json = typeof stored === 'string' ? JSON.parse(stored) : {};
  const object: JsonObject = isObject(parsed) ? parsed : {};
  return Object.fromEntries(
    Object.entries(object).flatMap(([at, value]) => (typeof value === 'string' ? [[at, value]] : [])),
  );
};

function rewrapped(environment: WriteEnvironment, place: Row, keyId: string, sealed: Readonly<Record<string, string>>) {
  try {
    return environment.seals.rewrapAll(place, keyId, sealed);
  } catch (error) {
    if (!(error instanceof SecretTampered)) throw error;
    throw new Problem('internal', {
      message: `The secret of ${place.resource} ${place.id} was changed outside the service and no key opens it: set it again, or delete the record, then go on.`,
    });
  }
}

/**
 * Seals a batch of rows under another key, which is current for every instance from then on, and answers how many it moved.
 * An empty batch only makes the key current: no row is locked while those who seal with the key before it are waited for.
 */
async function rotate(
  environment: WriteEnvironment,
  transaction: Transaction,
  keyId: string,
  batch: number,
): Promise<WriteResult> {
  const { registry } = environment;
  if ((await currentSecretKey(transaction)) !== keyId) {
    await transaction.run(
      sql`insert into setting (name, value) values (${currentKeySetting}, ${keyId})
        on conflict (name) do update set value = excluded.value`,
    );
  }
  let moved = 0;
  for (const resource of registry.resources) {
    if (resource.unstored === true || moved >= batch) continue;
    const table = name(resource.name);
    const rows = await transaction.rows(
      sql`select id, organization_id, secrets from ${table} where secret_key is not null
        and secret_key <> ${keyId} order by id limit ${batch - moved}${transaction.dialect.forUpdate}`,
    );
    for (const row of rows) {
      const organization = typeof row['organization_id'] === 'string' ? row['organization_id'] : null;
      const place = { resource: resource.name, id: String(row['id']), organization };
      const sealed = rewrapped(environment, place, keyId, sealedOf(row['secrets']));
      await transaction.run(
        sql`update ${table} set secrets = ${JSON.stringify(sealed)}, secret_key = ${keyId} where id = ${place.id}`,
      );
    }
    moved += rows.length;
  }
  const kept = await transaction.rows(
    sql`select scope, key, answer from idempotency where secret_key is not null and secret_key <> ${keyId}
      order by scope, key limit ${Math.max(0, batch - moved)}${transaction.dialect.forUpdate}`,
  );
  for (const row of kept) {
    const [scope, key] = [String(row['scope']), String(row['key'])];
    const place = { resource: 'idempotency', id: scope, organization: null };
    const sealed = rewrapped(environment, place, keyId, { [key]: String(row['answer']) });
    await transaction.run(
      sql`update idempotency set answer = ${sealed[key] ?? ''}, secret_key = ${keyId} where scope = ${scope} and key = ${key}`,
    );
  }
  return done(moved + kept.length);
}

async function sweep(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: Command & { kind: 'sweep' },
): Promise<WriteResult> {
  const answers = await transaction.run(sql`delete from idempotency where created_at < ${command.answersBefore}`);
  const ended = await transaction.rows(
    sql`select id from "authorization" where expiry < ${command.loginsBefore}
      or (share_id is not null and expiry < ${timestamp(environment.now())}) limit ${sweepBatch}`,
  );
  if (ended.length > 0) {
    const ids = list(ended.map(({ id }) => String(id)));
    await transaction.run(sql`delete from link where target_id in ${ids}`);
    await transaction.run(sql`delete from "authorization" where id in ${ids}`);
  }
  const now = timestamp(environment.now());
  const addressesBefore = timestamp(environment.now() - 90 * 24 * 3_600_000);
  await transaction.run(sql`delete from login_address where seen_at < ${addressesBefore}`);
  await transaction.run(sql`delete from sso_used where until < ${now}`);
  await transaction.run(sql`delete from sso_handover where until < ${now}`);
  const drafts = await sweepDrafts(environment, transaction);
  return done(
    answers + ended.length + drafts + (await forgetRequests(environment, transaction, command.requestsBeforeMs)),
  );
}

/** Everything the writer does beside the API. */
export async function operate(
  environment: WriteEnvironment,
  transaction: Transaction,
  command: Exclude<Command, { kind: 'write' | 'datasets' | 'rows' | 'note' | 'claim' | 'columns' | 'version' | 'sso' }>,
): Promise<WriteResult> {
  switch (command.kind) {
    case 'touch':
      return touch(transaction, command.used);
    case 'airequest':
      return noteRequest(environment, transaction, command);
    case 'answer':
      return keepAnswer(environment, transaction, command);
    case 'bootstrap':
      return bootstrap(environment, transaction, command.first);
    case 'organization':
      return done(1, await makeOrganization(environment, transaction, command.first));
    case 'person':
      return done(1, await makePerson(environment, transaction, command.organizationId, command.person));
    case 'transfer':
      return transfer(environment, transaction, command);
    case 'share':
      return openShare(environment, transaction, command);
    case 'lease':
    case 'lease end':
      return changeLease(transaction, command);
    case 'elements':
      return keepElements(transaction, command);
    case 'repair':
      return repair(environment, transaction, command);
    case 'rotate':
      return rotate(environment, transaction, command.keyId, command.batch);
    case 'sweep':
      return sweep(environment, transaction, command);
  }
}
